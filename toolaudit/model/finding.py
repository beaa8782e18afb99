from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from toolaudit.model.rule import Source


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Finding(Struct, frozen=True):
    """Something a reviewer should know that does not change the decision."""

    id: str
    """A stable word, such as `unknown-key` or `client-gap`."""
    severity: Severity
    message: str
    """One sentence: what was found."""
    help: str
    """One sentence: what the client does about it, or what to change."""
    source: Source | None = None
