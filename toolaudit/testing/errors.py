from __future__ import annotations


class PolicyTestError(ValueError):
    """A test file, or one case of it, that says nothing that could be tested. It is an error, never a pass."""

    def __init__(self, message: str, *, file: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message, file, line, column)
        self.message = message
        self.file = file
        self.line = line
        """Counted from 1, as is the column; None where it is about the file as a whole."""
        self.column = column

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        return f"{place}: {self.message}"
