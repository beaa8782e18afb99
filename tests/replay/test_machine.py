from __future__ import annotations

from dataclasses import replace

import pytest
from test_compare import CALL

from toolaudit.model import ToolCall
from toolaudit.replay.machine import DEFAULT_ROOT, directories, home_of, of_today, posix
from toolaudit.replay.subject import subject


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("/srv/app", "/srv/app"),
        ("D:\\work\\shop", "/d/work/shop"),
        ("C:/Users/dana", "/c/Users/dana"),
        ("C:\\", "/c"),
        ("c:relative", "c:relative"),
        ("\\\\server\\share", "\\\\server\\share"),
    ],
)
def test_posix(path: str, form: str) -> None:
    assert posix(path) == form


@pytest.mark.parametrize(
    ("root", "home"),
    [
        ("/home/dana/work/x", "/home/dana"),
        ("/Users/dana", "/Users/dana"),
        ("/c/Users/dana/x", "/c/Users/dana"),
        ("/root/x", "/root"),
        ("/srv/webshop", "/home/user"),
    ],
)
def test_home(root: str, home: str) -> None:
    assert home_of(root) == home


@pytest.mark.parametrize(
    ("root", "cwd", "expected"),
    [
        ("/srv/app", "/srv/app/web", ("/srv/app", "/srv/app/web")),
        (None, "/srv/app", ("/srv/app", "/srv/app")),
        (None, None, (DEFAULT_ROOT, DEFAULT_ROOT)),
        ("D:\\shop", "D:\\shop\\src", ("/d/shop", "/d/shop/src")),
        ("relative", "also", (DEFAULT_ROOT, DEFAULT_ROOT)),
    ],
)
def test_directories(root: str | None, cwd: str | None, expected: tuple[str, str]) -> None:
    assert directories(replace(CALL, root=root, cwd=cwd)) == expected


@pytest.mark.parametrize(
    ("call", "asked"),
    [
        pytest.param(
            ToolCall("Read", {"file_path": "D:\\shop\\a.ts", "limit": 3}, "x"),
            ToolCall("Read", {"file_path": "/d/shop/a.ts", "limit": 3}, "x"),
            id="a Windows path",
        ),
        pytest.param(ToolCall("Task", {"prompt": "x"}), ToolCall("Agent", {"prompt": "x"}), id="a former name"),
        pytest.param(ToolCall("LS", {"path": "/a"}), ToolCall("LS", {"path": "/a"}), id="a tool that is gone"),
        pytest.param(
            ToolCall("PowerShell", {"command": "type D:\\a"}),
            ToolCall("PowerShell", {"command": "type D:\\a"}),
            id="a command stays",
        ),
    ],
)
def test_calls_are_put_to_todays_client(call: ToolCall, asked: ToolCall) -> None:
    assert of_today(call) == asked


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"command": "ls", "description": "x"}, "ls"),
        ({"file_path": "/a", "content": "x"}, "/a"),
        ({"pattern": "x", "path": "/a"}, "/a"),
        ({"todos": [1]}, '{"todos": [1]}'),
        ({}, ""),
        ({"command": "x" * 501}, "x" * 500 + "… (501 characters)"),
    ],
)
def test_subject(given: dict[str, object], text: str) -> None:
    assert subject(ToolCall("T", given)) == text
