from __future__ import annotations

from enum import StrEnum

from toolaudit.model.behavior import Behavior
from toolaudit.structs import Struct


class Scope(StrEnum):
    """Where settings come from; the members are in order of precedence, highest first (documents, 6.3)."""

    MANAGED = "managed"
    CLI = "cli"
    FLAG = "flag"
    LOCAL = "local"
    PROJECT = "project"
    USER = "user"


class Source(Struct):
    """A place in a settings file, or on the command line (`file` None). Line and column count from 1."""

    scope: Scope
    file: str | None = None
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        if self.file is None:
            return f"command line ({self.scope})" if self.scope is Scope.CLI else str(self.scope)
        return ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)


class Rule(Struct):
    """A permission rule: `Tool` or `Tool(specifier)`, in the list of one behaviour."""

    behavior: Behavior
    text: str
    """As written."""
    tool: str
    """The tool's name, or a glob of names in a deny or ask rule."""
    specifier: str | None
    """What stands in the parentheses; None for a bare rule and for `Tool(*)` where that means the same."""
    source: Source
    root: str
    """The absolute directory a path that starts with one slash is relative to (documents, 4.4)."""

    def __str__(self) -> str:
        return f"{self.behavior} {self.text}"
