from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from toolaudit.model.rule import Source


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something a reviewer should know that does not change the decision."""

    id: str
    """A stable word, such as `unknown-key` or `client-gap`."""
    severity: Severity
    message: str
    """One sentence: what was found."""
    help: str
    """One sentence: what the client does about it, or what to change."""
    source: Source | None = None
