from __future__ import annotations

import json


class SettingsError(ValueError):
    """A settings file that cannot be used: nothing is decided by it.

    The client drops such a file whole and goes on without its rules, deny rules included (measured). A reviewer must
    not be told what a policy decides when the policy is not the one in the file, so here it is an error.
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
    return json.dumps(text if len(text) <= limit else text[: limit - 1] + "…")
