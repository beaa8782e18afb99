"""The judgement of a tool that is not built in, from what its own `check_permissions` says of the call.

Its allow means that it has no objection, and grants nothing: rules, modes and people still decide. Its deny is final
like a deny rule. Its ask waits for whoever answers prompts; an allow rule for the whole tool lifts it, unless no
classifier may approve it either, which makes it a safety check (documents, 14, rows 3 and 13).
"""

from __future__ import annotations

from typing import Protocol

from toolaudit.model import Behavior, Mode, ReasonType
from toolaudit.permissions import general
from toolaudit.permissions.judgement import Judgement, Objection
from toolaudit.permissions.request import Request


class Word(Protocol):
    """What a tool says of one call."""

    @property
    def behavior(self) -> Behavior: ...
    @property
    def why(self) -> str: ...
    @property
    def classifier_approvable(self) -> bool: ...


def judge(request: Request, word: Word, *, read_only: bool, classifiable: bool) -> Judgement:
    """`classifiable` says that the tool shows the classifier something; else the call goes the ordinary way."""
    if word.behavior is Behavior.DENY:
        why = word.why or "the tool itself refuses the call"
        return general.compose(request, denied=Objection(why, ReasonType.OTHER))
    if request.mode is Mode.PLAN and not read_only:
        why = "plan mode starts no tool that may change something"
        objection = Objection(why, ReasonType.MODE, classifier_approvable=False, hook_liftable=False)
        return general.compose(request, residue=objection, liftable=False)
    if word.behavior is Behavior.ALLOW:
        return general.compose(request, residue=Objection(general.APPROVAL, None, classifier_approvable=classifiable))
    approvable = classifiable and word.classifier_approvable
    kind = ReasonType.OTHER if word.classifier_approvable else ReasonType.SAFETY_CHECK
    own = Objection(word.why or "the tool itself asks", kind, classifier_approvable=approvable)
    return general.compose(request, own=own, unsafe=None if word.classifier_approvable else own, residue=own)
