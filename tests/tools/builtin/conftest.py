"""Tools at work on real files: a workspace in a temporary directory, and a context whose commands end with the test."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from toolaudit.model import Mode, Policy
from toolaudit.model.versions import Version
from toolaudit.model.workspace import RealWorkspace
from toolaudit.structs import replace
from toolaudit.tools.context import Options, PermissionContext, ToolUseContext
from toolaudit.tools.effects.commands import Refusing, find_runner
from toolaudit.tools.interface import Block, Tool, ToolError


@dataclass
class Bench:
    """Calls tools one after the other, as a session does: what a result says of the context holds for the next call."""

    root: Path
    context: ToolUseContext

    def run(self, tool: Tool[Any, Any, Any], **given: Any) -> Any:
        """The content of the result block."""
        return self.block(tool, given)["content"]

    def block(self, tool: Tool[Any, Any, Any], given: Mapping[str, Any]) -> Block:
        parsed = tool.input_schema.model_validate(given)
        result = tool.call(parsed, self.context, lambda progress: None)
        if result.context_modifier is not None:
            self.context = result.context_modifier(self.context)
        return tool.map_result_to_block(result.data, "toolu_1")

    def fail(self, tool: Tool[Any, Any, Any], **given: Any) -> ToolError:
        """The failure of a call that must fail."""
        with pytest.raises(ToolError) as failure:
            self.run(tool, **given)
        return failure.value

    def options(self, **changes: Any) -> None:
        self.context = replace(self.context, options=replace(self.context.options, **changes))

    def set_version(self, text: str) -> None:
        self.options(version=Version.parse(text))

    def set_mode(self, mode: Mode) -> None:
        self.context = replace(self.context, permissions=replace(self.context.permissions, mode=mode))

    def file(self, name: str, content: str | bytes) -> str:
        """Makes a file and gives its absolute path."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    root, home = tmp_path / "work", tmp_path / "home"
    root.mkdir()
    home.mkdir()
    permissions = PermissionContext(Policy(), Mode.DEFAULT, RealWorkspace(str(root), str(home)))
    context = ToolUseContext(permissions, Options(environment={"HOME": str(home)}))
    yield Bench(root, context)
    context.tasks.close()


@pytest.fixture
def shell(bench: Bench) -> Bench:
    """A bench whose commands run in the sandbox of this system."""
    runner = find_runner()
    if isinstance(runner, Refusing):
        pytest.skip(runner.why)
    return bench


@pytest.fixture
def repository(shell: Bench) -> Bench:
    """A shell whose workspace is a git repository with one file."""
    for arguments in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-q", "-m", "x"]):
        shell.file("a.txt", "one\n")
        name = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
        subprocess.run(["git", *name, *arguments], cwd=shell.root, check=True)
    return shell
