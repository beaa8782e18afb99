"""Grep and Glob on real folders: by ripgrep and by the program that stands in for it, with the same answers."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.tools.builtin.conftest import Bench
from toolaudit.structs import replace
from toolaudit.tools.builtin import glob, grep
from toolaudit.tools.effects import search

GREP, GLOB = grep.TOOL, glob.TOOL

FILES = {
    "a.py": "import os\nx = 1\nprint(x)\n",
    "b.txt": "Import nothing\nlast\n",
    "src/deep/c.ts": "import z\n",
    "src/d.tsx": "no\n",
    "ignored/e.py": "import e\n",
    ".hidden/f.py": "import f\n",
    ".gitignore": "ignored/\n",
    "binary.bin": "import\0\n",
}


@pytest.fixture(params=["ripgrep", "plain"], autouse=True)
def program(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "plain":
        monkeypatch.setattr(search, "find_ripgrep", lambda: None)
    elif search.find_ripgrep() is None:
        pytest.skip("needs ripgrep")
    return str(request.param)


@pytest.fixture
def folder(bench: Bench) -> Bench:
    for age, (name, text) in enumerate(FILES.items()):
        path = bench.file(name, text)
        os.utime(path, (1_000_000 - age, 1_000_000 - age))
    for name in (".git", ".svn", ".hg", ".bzr", ".jj", ".sl"):
        bench.file(f"{name}/objects/g.py", "import g\n")
    return bench


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ({"pattern": "import"}, "Found 3 files\na.py\nsrc/deep/c.ts\n.hidden/f.py"),
        ({"pattern": "import", "-i": True}, "Found 4 files\na.py\nb.txt\nsrc/deep/c.ts\n.hidden/f.py"),
        ({"pattern": "import", "type": "py"}, "Found 2 files\na.py\n.hidden/f.py"),
        ({"pattern": "import", "glob": "*.{ts,tsx}"}, "Found 1 file\nsrc/deep/c.ts"),
        ({"pattern": "import", "glob": "src/**"}, "Found 1 file\nsrc/deep/c.ts"),
        ({"pattern": "import", "path": "src"}, "Found 1 file\nsrc/deep/c.ts"),
        ({"pattern": "import", "head_limit": 1}, "Found 1 file limit: 1\na.py"),
        ({"pattern": "import", "head_limit": 1, "offset": 2}, "Found 1 file offset: 2\n.hidden/f.py"),
        ({"pattern": "nowhere"}, "No files found"),
        ({"pattern": "x", "output_mode": "content"}, "a.py:2:x = 1\na.py:3:print(x)"),
        ({"pattern": "x", "output_mode": "content", "-n": False}, "a.py:x = 1\na.py:print(x)"),
        ({"pattern": "x", "output_mode": "content", "path": "a.py"}, "2:x = 1\n3:print(x)"),
        ({"pattern": "1", "output_mode": "content", "-C": 1}, "a.py:1-import os\na.py:2:x = 1\na.py:3-print(x)"),
        ({"pattern": "1", "output_mode": "content", "-B": 1}, "a.py:1-import os\na.py:2:x = 1"),
        ({"pattern": "1", "output_mode": "content", "-A": "1"}, "a.py:2:x = 1\na.py:3-print(x)"),
        ({"pattern": "nowhere", "output_mode": "content"}, "No matches found"),
        (
            {"pattern": "x", "output_mode": "content", "head_limit": 1},
            "a.py:2:x = 1\n\n[Showing results with pagination = limit: 1]",
        ),
        ({"pattern": r"os\nx", "output_mode": "content", "multiline": True}, "a.py:1:import os\na.py:2:x = 1"),
        ({"pattern": r"os.x", "output_mode": "content", "multiline": True}, "a.py:1:import os\na.py:2:x = 1"),
        ({"pattern": "x", "output_mode": "count"}, "a.py:2\n\nFound 2 total occurrences across 1 files."),
        ({"pattern": "-e"}, "No files found"),
    ],
    ids=lambda value: str(value)[:60],
)
def test_grep(folder: Bench, given: dict[str, Any], shown: str) -> None:
    assert folder.run(GREP, **given) == shown


def test_groups_of_lines_are_set_apart(bench: Bench) -> None:
    bench.file("a", "x\n1\n2\n3\nx\n")
    assert bench.run(GREP, pattern="x", output_mode="content", **{"-A": 1}) == "a:1:x\na:2-1\n--\na:5:x"


def test_a_page_has_250_entries_and_the_next_begins_where_it_ended(bench: Bench) -> None:
    bench.file("a", "x\n" * 600)
    pages = [bench.run(GREP, pattern="x", output_mode="content", offset=offset) for offset in (0, 250, 500)]
    assert [page.count(":x") for page in pages] == [250, 250, 100]
    assert "limit: 250" in pages[0]
    assert "limit: 250, offset: 250" in pages[1]
    assert "limit" not in pages[2]
    assert bench.run(GREP, pattern="x", output_mode="content", head_limit=0).count(":x") == 600
    given = GREP.input_schema.model_validate({"pattern": "x", "output_mode": "content"})
    assert GREP.call(given, bench.context, lambda progress: None).data.applied_limit == 250


def test_long_lines_are_left_out(bench: Bench) -> None:
    bench.file("a", "x" * 600 + "\n")
    assert bench.run(GREP, pattern="x", output_mode="content") == "a:1:[Omitted long matching line]"


def test_what_is_denied_does_not_show(folder: Bench) -> None:
    class Denied:
        def readable(self, path: str) -> bool:
            return True

        def hidden(self, path: str) -> bool:
            return path.endswith((".hidden/f.py", "a.py"))

    folder.context = replace(folder.context, permissions=replace(folder.context.permissions, access=Denied()))
    assert folder.run(GREP, pattern="import") == "Found 1 file\nsrc/deep/c.ts"
    assert folder.run(GREP, pattern="x", output_mode="content", **{"-C": 1}) == "No matches found"
    assert folder.run(GLOB, pattern="*.py") == "ignored/e.py"


def test_links_are_not_followed(bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/secret.txt").write_text("import")
    (bench.root / "link").symlink_to(tmp_path / "outside")
    (bench.root / "file").symlink_to(tmp_path / "outside/secret.txt")
    assert bench.run(GREP, pattern="import") == "No files found"
    assert bench.run(GLOB, pattern="**/*.txt") == "No files found"


def test_the_workspace_is_never_imported_from(bench: Bench) -> None:
    bench.file("json.py", f"open({str(bench.root / 'ran')!r}, 'w')\n")
    bench.file("toolaudit/__init__.py", f"open({str(bench.root / 'ran')!r}, 'w')\n")
    bench.run(GREP, pattern="open")
    assert not (bench.root / "ran").exists()


@pytest.mark.parametrize("given", [{"pattern": "("}, {"pattern": "x", "type": "nosuchtype"}], ids=["pattern", "type"])
def test_wrong_queries_are_named(folder: Bench, given: dict[str, Any]) -> None:
    assert folder.fail(GREP, **given).code == "bad_search"
    assert folder.fail(GREP, pattern="x", path="nothere").code == "ENOENT"


def test_no_pattern_holds_up_the_session(bench: Bench, monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    if program != "plain":
        pytest.skip("ripgrep's patterns take linear time")
    bench.file("a", "a" * 40 + "b\n")
    monkeypatch.setattr(search, "SECONDS", 0.5)
    assert bench.fail(GREP, pattern="(a+)+$").code == "timeout"
    assert not bench.context.tasks.running()


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ({"pattern": "*.py"}, "a.py\nignored/e.py\n.hidden/f.py"),
        ({"pattern": "**/*.{ts,tsx}"}, "src/deep/c.ts\nsrc/d.tsx"),
        ({"pattern": "src/*.tsx"}, "src/d.tsx"),
        ({"pattern": "*.ts", "path": "src"}, "src/deep/c.ts"),
        ({"pattern": "{root}/src/**/*.ts"}, "src/deep/c.ts"),
        ({"pattern": "nothere*"}, "No files found"),
    ],
    ids=lambda value: str(value)[:60],
)
def test_glob(folder: Bench, given: dict[str, str], shown: str) -> None:
    given = {name: value.replace("{root}", str(folder.root)) for name, value in given.items()}
    assert folder.run(GLOB, **given) == shown


@pytest.mark.parametrize("pattern", ["/etc/*", "../*", "src/../../x", "~/.ssh/*"])
def test_no_pattern_leads_out_of_the_directory(folder: Bench, pattern: str) -> None:
    assert folder.fail(GLOB, pattern=pattern).code == "outside"


def test_glob_shows_a_hundred_files_newest_first(bench: Bench) -> None:
    for age in range(103):
        os.utime(bench.file(f"f{age:03}", ""), (1_000_000 - age, 1_000_000 - age))
    lines = bench.run(GLOB, pattern="f*").splitlines()
    assert lines[:-1] == [f"f{age:03}" for age in range(100)]
    assert "truncated" in lines[-1]


@pytest.mark.parametrize("tool", [GREP, GLOB], ids=["Grep", "Glob"])
def test_what_it_says_of_itself(tool: Any) -> None:
    given = tool.input_schema(pattern="x")
    assert tool.is_read_only(given)
    assert tool.is_concurrency_safe(given)
    assert not tool.is_destructive(given)
