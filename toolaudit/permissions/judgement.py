from __future__ import annotations

from collections.abc import Callable

from toolaudit.model import Behavior, Finding, Outcome, ReasonType, Rule
from toolaudit.structs import Struct


class Objection(Struct):
    """One reason against simply allowing a call."""

    why: str
    reason_type: ReasonType | None = None
    rule: Rule | None = None
    classifier_approvable: bool = True
    subject: str = ""
    """The part of the call it is about, where it is about one."""
    plain: bool = False
    """Nothing speaks against the call but that no rule speaks for it."""
    hook_liftable: bool = True
    """A PreToolUse hook's allow sets it aside."""


class Judgement(Struct):
    """What a tool's own check says of one call, sorted by the link of the chain that may act on it.

    A judgement grants nothing by itself: the links read it in the order of `CHAIN`.
    """

    denied: Objection | None = None
    """A deny rule matches a part of the call."""
    asked: Objection | None = None
    """An ask rule matches a part of the call; holds in every mode."""
    critical: Objection | None = None
    """A removal no mode, rule or classifier may approve."""
    unsafe: Objection | None = None
    """A safety check that outranks allow rules but not the mode bypassPermissions."""
    residue: Objection | None = None
    """Why the call is not allowed as it stands; None: every part of it is granted."""
    granted: str = ""
    """What grants the call when there is no residue, such as `read-only` or a rule."""
    rule: Rule | None = None
    """The allow rule that grants it, when one does."""
    outcomes: tuple[Outcome, ...] = ()
    """The parts, each with its own outcome."""
    findings: tuple[Finding, ...] = ()
    """What a reviewer should know if the call is allowed."""


Judge = Callable[..., Judgement]


def residue(why: str, reason_type: ReasonType | None = ReasonType.OTHER) -> Judgement:
    return Judgement(residue=Objection(why, reason_type), outcomes=(Outcome("call", Behavior.ASK, why),))
