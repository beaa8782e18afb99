from __future__ import annotations

from toolaudit.model import Scope


class SettingsError(ValueError):
    """A settings file that cannot be used: nothing is decided by it.

    The client drops such a file and goes on without its rules (see `fate`). A reviewer must not be told what a policy
    decides when the policy is not the one in the file, so here it is an error.
    """

    def __init__(self, message: str, *, help: str, file: str, line: int = 1, column: int = 1) -> None:
        super().__init__(message, help, file, line, column)
        self.message = message
        """What was expected and what was found."""
        self.help = help
        """One sentence: what the client does about it, or what to change."""
        self.file = file
        self.line = line
        """Counted from 1, as is the column; a column is a character, not a byte."""
        self.column = column

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.message}\n  help: {self.help}"


def quote(text: str, limit: int = 60) -> str:
    """`text` from a file as a message may show it: escaped to printable ASCII and shortened to `limit` characters."""
    import json  # which a check without files never needs

    return json.dumps(text if len(text) <= limit else text[: limit - 1] + "…")


def fate(scope: Scope, *, readable: bool) -> str:
    """What the client does with a file of `scope` that is no JSON, or is and has a value of the wrong type (measured).

    Without a terminal it says nothing about either, but for managed settings.
    """
    if scope is not Scope.MANAGED:
        return "the client drops the whole file, deny rules included"
    if readable:
        return "the client leaves the value out, takes its locks as set and enforces the rest"
    return "the client does not start"
