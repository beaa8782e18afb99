"""How often the classifier blocked, and what becomes of a session in which it does so again and again.

After 3 blocks in a row, or 20 in all, a session with a person in it goes back to prompting; what the person approves
ends the row. A session without one goes on denying (documents, 9.5.6; measured). A call without a verdict counts
neither way.
"""

from __future__ import annotations

from typing import Final

from toolaudit.model import Behavior, Decision, Mode, ReasonType
from toolaudit.model.versions import NEWEST, Difference, Version
from toolaudit.permissions.request import Request
from toolaudit.structs import Struct

IN_A_ROW: Final = 3
IN_ALL: Final = 20


class Blocks(Struct):
    """The blocks of a session so far."""

    in_a_row: int = 0
    in_all: int = 0

    def after(self, decision: Decision, mode: Mode, version: Version = NEWEST) -> Blocks:
        """The same after one more call; the limit on all of them starts anew once it was reached."""
        row = count(self.in_a_row, decision, mode, version)
        total = self.in_all + (row > self.in_a_row)
        return Blocks(row, 0 if total >= IN_ALL else total)


NO_BLOCKS: Final = Blocks()


def count(before: int, decision: Decision, mode: Mode, version: Version = NEWEST) -> int:
    """The calls blocked in a row after `decision`; what mode plan allows does not end a row (measured).

    The older client counted calls for which the classifier was missing as well (measured).
    """
    if decision.behavior is Behavior.ALLOW:
        return before if mode is Mode.PLAN else 0
    if decision.verdict is not None and decision.verdict.behavior == "unavailable":
        return before + version.has(Difference.BLOCKS_PROMPT)
    blocked = decision.reason_type is ReasonType.CLASSIFIER or (
        decision.stage == "removal" and mode in (Mode.AUTO, Mode.PLAN)
    )
    return before + blocked


def counts_blocks(version: Version, interactive: bool) -> bool:
    """Whether blocks before a call change what becomes of it."""
    return interactive or version.has(Difference.BLOCKS_PROMPT)


def paused(request: Request) -> bool:
    """Whether so many calls were blocked before this one that the classifier is no longer asked."""
    return request.interactive and not request.version.has(Difference.BLOCKS_PROMPT) and request.blocked >= IN_A_ROW


def loses_patience(request: Request) -> bool:
    """Whether a person is asked about a call that is blocked, because so many were before."""
    if request.version.has(Difference.BLOCKS_PROMPT):
        return request.blocked + 1 >= IN_A_ROW
    return request.interactive and (request.blocked + 1 >= IN_A_ROW or request.blocked_in_all + 1 >= IN_ALL)
