from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from toolaudit.model import Behavior, ReasonType, Rule
from toolaudit.permissions.judgement import Objection
from toolaudit.structs import Struct

if TYPE_CHECKING:
    from toolaudit.model.verdict import Verdict as ClassifierVerdict


class Verdict(Struct):
    """What one link says: a behaviour that settles the call, or None and why it has nothing to say."""

    behavior: Behavior | None
    why: str
    reason_type: ReasonType | None = None
    rule: Rule | None = None
    classifier_approvable: bool = True
    said: ClassifierVerdict | None = None
    """What the classifier said, where the link came to ask it."""


@lru_cache(maxsize=256)
def passes(why: str) -> Verdict:
    """A verdict that settles nothing. A call meets half a dozen of them, mostly in the same few words."""
    return Verdict(None, why)


def settles(behavior: Behavior, objection: Objection) -> Verdict:
    """A verdict that rests on an objection of the tool's own check."""
    return Verdict(
        behavior,
        objection.why,
        objection.reason_type,
        objection.rule,
        classifier_approvable=objection.classifier_approvable,
    )
