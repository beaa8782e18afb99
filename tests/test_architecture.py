"""Imports run one way, and the verb people wait for stays light."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "toolaudit"

LAYERS = (
    ("model",),
    ("settings", "rules", "shell", "transcripts"),
    ("tools",),
    ("permissions", "classifier"),
    ("pipeline",),
    ("replay", "play", "guards", "fuzz", "bench", "analysis", "conformance", "testing"),
    ("checks", "reporting"),
    ("cli", "pytest_plugin"),
)
"""Lowest first: a package may import from its own layer and from those below."""

LEVEL = {package: level for level, packages in enumerate(LAYERS) for package in packages}


def modules() -> list[Path]:
    return sorted(path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE)


def imported(path: Path) -> set[str]:
    """The packages of toolaudit that a module imports, wherever in the module."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names.add(node.module)
            names |= {f"{node.module}.{alias.name}" for alias in node.names if node.module == "toolaudit"}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        assert not (isinstance(node, ast.ImportFrom) and node.level), f"{path}: relative import"
    return {parts[1] for name in names if (parts := name.split("."))[0] == "toolaudit" and len(parts) > 1} & set(LEVEL)


def test_every_package_has_a_layer() -> None:
    packages = {path.name for path in PACKAGE.iterdir() if path.is_dir() and any(path.glob("*.py"))}
    assert packages <= set(LEVEL)


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_run_down(path: Path) -> None:
    own = LEVEL[path.relative_to(PACKAGE).parts[0]]
    upward = {package for package in imported(path) if LEVEL[package] > own}
    assert not upward, f"{path.relative_to(PACKAGE)} imports from above: {sorted(upward)}"


def test_files_stay_small() -> None:
    long = {
        str(path.relative_to(PACKAGE)): lines
        for path in modules()
        if (lines := len(path.read_text().splitlines())) > 500
    }
    assert not long


HEAVY = frozenset(
    """
    ast asyncio bashlex dataclasses hashlib hypothesis importlib.metadata inspect msgspec orjson pathspec pydantic rich
    shutil subprocess tempfile tokenize toolaudit.classifier toolaudit.permissions.powershell toolaudit.replay
    toolaudit.shell.survey toolaudit.transcripts tree_sitter typing_extensions unittest
    """.split()
)
"""What one `check` of a plain call must not import: each, with what it brings, costs more than the decision."""

OWN_MODULES = 150
"""How many modules of toolaudit one `check` may import; each costs a tenth of a millisecond though it be empty."""

CHECKS = {
    "Bash": ["git push --force", "--deny", "Bash(git push *)"],
    "Bash, JSON": ["ls -la", "--allow", "Bash(ls *)", "--json"],
    "Read": ["--tool", "Read", "--input", '{"file_path": "notes.txt"}', "--deny", "Read(./.env)"],
}


@pytest.mark.parametrize("words", CHECKS.values(), ids=CHECKS)
def test_a_check_starts_light(words: list[str]) -> None:
    code = (
        "import sys; before = set(sys.modules); from toolaudit.cli import main; "
        f"main(['check', *{words!r}]); print(*(set(sys.modules) - before), file=sys.stderr)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    imported = set(run.stderr.split())
    assert "toolaudit.pipeline.run" in imported
    assert not imported & HEAVY
    assert sum(name.startswith("toolaudit") for name in imported) <= OWN_MODULES


def test_test_files_have_names_of_their_own() -> None:
    """Two of one name are one module to pytest, and the second is not collected."""
    names = [path.name for path in Path(__file__).parent.rglob("test_*.py")]
    assert sorted(names) == sorted(set(names))
