"""What the permission layer says of files that no call names."""

from __future__ import annotations

from typing import Any

import pytest

from toolaudit.model import Mode, Scope
from toolaudit.model.workspace import DataWorkspace
from toolaudit.permissions.file_access import PolicyAccess
from toolaudit.settings import load_objects

CWD, HOME = "/srv/app", "/home/dana"


def access(mode: Mode = Mode.DEFAULT, **rules: Any) -> PolicyAccess:
    policy = load_objects({Scope.USER: {"permissions": rules}}, cwd=CWD, home=HOME)
    files = {"a.txt": "", ".env": "", f"{HOME}/b.txt": ""}
    return PolicyAccess(policy, mode, DataWorkspace.describe(CWD, HOME, files, {"link": ".env"}))


@pytest.mark.parametrize(
    ("path", "rules", "mode", "readable"),
    [
        (f"{CWD}/a.txt", {}, Mode.DEFAULT, True),
        (f"{HOME}/b.txt", {}, Mode.DEFAULT, False),
        (f"{HOME}/b.txt", {}, Mode.BYPASS, True),
        (f"{HOME}/b.txt", {"allow": ["Read(~/**)"]}, Mode.DEFAULT, True),
        (f"{CWD}/.env", {"deny": ["Read(.env)"]}, Mode.BYPASS, False),
    ],
)
def test_readable(path: str, rules: dict[str, list[str]], mode: Mode, readable: bool) -> None:
    assert access(mode, **rules).readable(path) is readable


@pytest.mark.parametrize(
    ("path", "hidden"),
    [(f"{CWD}/.env", True), (f"{CWD}/link", True), (f"{CWD}/a.txt", False), (f"{HOME}/b.txt", False)],
)
def test_hidden(path: str, hidden: bool) -> None:
    assert access(deny=["Read(.env)"]).hidden(path) is hidden
