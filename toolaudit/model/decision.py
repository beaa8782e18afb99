from __future__ import annotations

from toolaudit.model.behavior import Behavior, ReasonType
from toolaudit.model.finding import Finding
from toolaudit.model.rule import Rule
from toolaudit.model.verdict import Verdict as ClassifierVerdict
from toolaudit.structs import Struct


class TraceEntry(Struct):
    """What one step or link looked at, and why it passed or settled the call."""

    stage: str
    note: str
    behavior: Behavior | None = None
    """None: it had nothing to say and the next one was asked."""


class Outcome(Struct):
    """What becomes of one part of a call: a subcommand, a redirection target, a path."""

    subject: str
    behavior: Behavior
    why: str
    rule: Rule | None = None


class Decision(Struct):
    """The answer for one call, with everything needed to explain it."""

    behavior: Behavior
    stage: str
    """The pipeline step or chain link that settled it."""
    reason_type: ReasonType | None
    why: str
    rule: Rule | None = None
    subcommands: tuple[Outcome, ...] = ()
    trace: tuple[TraceEntry, ...] = ()
    findings: tuple[Finding, ...] = ()
    classifier_approvable: bool = True
    """False where no classifier verdict may lift this ask (a critical removal, a link to a protected path)."""
    verdict: ClassifierVerdict | None = None
    """What the classifier said, where the call reached one."""
