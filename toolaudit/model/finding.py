from __future__ import annotations

from enum import StrEnum

from toolaudit.model.rule import Rule, Source
from toolaudit.structs import Struct


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Fix(Struct):
    """A change of one rule of a settings file. It may take access away and never gives any."""

    rule: Rule
    replacement: str | None = None
    """The text to stand in its place; None: the rule goes."""


class Finding(Struct):
    """Something a reviewer should know that does not change the decision."""

    id: str
    """A stable word, such as `unknown-key` or `client-gap`; of a lint check its number, such as `TA012`."""
    severity: Severity
    message: str
    """One sentence: what was found."""
    help: str
    """One sentence: what the client does about it, or what to change."""
    source: Source | None = None
    rule: Rule | None = None
    """The rule it is about."""
    related: Rule | None = None
    """Another rule that makes it so: the one that shadows, the one that undoes."""
    witness: str = ""
    """A command or a call that shows it."""
    fix: Fix | None = None
