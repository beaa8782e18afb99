"""Skills and agents of a project or a user: where the client finds them, and what their front matter says.

What a skill brings along makes a call of it wait for approval.
"""

from __future__ import annotations

import re
from typing import Final

from toolaudit.model.workspace import Workspace
from toolaudit.patterns import late
from toolaudit.structs import Struct

BUILT_IN: Final = {
    "init": frozenset[str](),
    "review": frozenset[str](),
    "security-review": frozenset({"allowed-tools"}),
}
"""Skills that come with the client -> what they bring (measured)."""

HARMLESS: Final = frozenset({"name", "description", "model", "context", "argument-hint", "version", "license"})
"""Front matter that leaves a skill running by itself."""

_NAME: Final = late(r"[\w.-]+(?::[\w.-]+)*")
_FRONT_MATTER: Final = late(r"---\s*\n(.*?)\n---", re.DOTALL)
_KEY: Final = late(r"^([\w-]+)\s*:", re.MULTILINE)
_AGENT: Final = late(r"^name[ \t]*:[ \t]*(\S.*?)[ \t]*$", re.MULTILINE)


class Skill(Struct):
    """What a skill declares."""

    keys: frozenset[str]
    """The fields of its front matter."""

    @property
    def hooks(self) -> bool:
        return "hooks" in self.keys

    @property
    def harmless(self) -> bool:
        """Nothing in it needs approval."""
        return self.keys <= HARMLESS | {"disable-model-invocation"}

    @property
    def callable(self) -> bool:
        """The model may call it."""
        return "disable-model-invocation" not in self.keys


def find_skill(name: str, workspace: Workspace) -> Skill | None:
    """The skill or command of this name, or None where the workspace knows of none."""
    if name in BUILT_IN:
        return Skill(BUILT_IN[name])
    file = find_file(name, workspace)
    if file is None:
        return None
    found = _FRONT_MATTER.match(file[1])
    return Skill(frozenset(_KEY.findall(found[1])) if found else frozenset())


def find_file(name: str, workspace: Workspace) -> tuple[str, str] | None:
    """The path and the text of the file that describes a skill or command, or None where there is none."""
    if not _NAME.fullmatch(name):
        return None
    for root in (workspace.cwd, workspace.home):
        for path in (f"{root}/.claude/skills/{name}/SKILL.md", f"{root}/.claude/commands/{name.replace(':', '/')}.md"):
            if (text := workspace.read_text(path)) is not None:
                return path, text
    return None


def agents(folder: str, workspace: Workspace) -> frozenset[str] | None:
    """The names, in small letters, of the agents that the files in a folder define; None: they can't all be told."""
    files = workspace.names(folder)
    if files is None:
        return None
    names = set()
    for file in files:
        text = workspace.read_text(f"{folder}/{file}")
        if text is None:
            return None  # a folder in it, or a file that can't be read
        found = _FRONT_MATTER.match(text)
        name = _AGENT.search(found[1]) if found is not None and file.endswith(".md") else None
        if name is not None:
            names.add(name[1].strip("\"'").lower())
    return frozenset(names)


def body(text: str) -> str:
    """What a skill tells the model: its text without the front matter."""
    found = _FRONT_MATTER.match(text)
    return text if found is None else text[found.end() :].lstrip("\n")
