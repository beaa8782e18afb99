"""How far decisions agree with those of the real client."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

ASKS = frozenset({"ask", "deny", "removed", "invalid"})
"""Every answer that keeps a call from running by itself."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One case, both answers."""

    id: str
    tool: str
    mode: str
    ours: str
    theirs: str
    our_type: str | None
    their_type: str | None
    our_why: str
    their_reason: str

    @property
    def agrees(self) -> bool:
        return self.ours == self.theirs

    @property
    def unsafe(self) -> bool:
        """We let run what the client does not."""
        return self.ours == "allow" and self.theirs in ASKS

    @property
    def noisy(self) -> bool:
        """We stop what the client lets run."""
        return self.ours in ASKS and self.theirs == "allow"

    @property
    def reason_agrees(self) -> bool:
        return self.our_type == self.their_type


@dataclass(slots=True)
class Tally:
    """Counts over some cases."""

    cases: int = 0
    agree: int = 0
    unsafe: int = 0
    noisy: int = 0
    reasons: int = 0
    """Cases in which the decision agrees and is not a plain allow, so that there is a reason type to compare."""
    reasons_agree: int = 0

    def add(self, compared: Compared) -> None:
        self.cases += 1
        self.agree += compared.agrees
        self.unsafe += compared.unsafe
        self.noisy += compared.noisy
        if compared.agrees and compared.theirs in ("ask", "deny"):
            self.reasons += 1
            self.reasons_agree += compared.reason_agrees

    @property
    def agreement(self) -> float:
        return self.agree / self.cases if self.cases else 1.0

    @property
    def reason_agreement(self) -> float:
        return self.reasons_agree / self.reasons if self.reasons else 1.0


@dataclass(slots=True)
class Agreement:
    """The whole comparison: totals, the same by tool, mode and reason type, and every disagreement."""

    total: Tally = field(default_factory=Tally)
    by_tool: dict[str, Tally] = field(default_factory=dict)
    by_mode: dict[str, Tally] = field(default_factory=dict)
    by_reason: dict[str, Tally] = field(default_factory=dict)
    disagreements: list[Compared] = field(default_factory=list)
    reason_disagreements: list[Compared] = field(default_factory=list)
    unanswered: list[str] = field(default_factory=list)
    """Cases without a recorded answer; they count nowhere."""
    kinds: Counter[tuple[str, str]] = field(default_factory=Counter)
    """(ours, theirs) of every disagreement."""

    def add(self, compared: Compared) -> None:
        self.total.add(compared)
        self.by_tool.setdefault(compared.tool, Tally()).add(compared)
        self.by_mode.setdefault(compared.mode, Tally()).add(compared)
        self.by_reason.setdefault(f"{compared.theirs}/{compared.their_type or '-'}", Tally()).add(compared)
        if not compared.agrees:
            self.disagreements.append(compared)
            self.kinds[(compared.ours, compared.theirs)] += 1
        elif compared.theirs in ("ask", "deny") and not compared.reason_agrees:
            self.reason_disagreements.append(compared)


def compare(pairs: Iterable[tuple[Mapping[str, object], Mapping[str, object] | None]]) -> Agreement:
    """The agreement of (our record, the client's record or None) pairs."""
    agreement = Agreement()
    for ours, theirs in pairs:
        if theirs is None or theirs.get("decision") in (None, "none"):
            agreement.unanswered.append(str(ours["id"]))
            continue
        agreement.add(
            Compared(
                id=str(ours["id"]),
                tool=str(ours.get("tool")),
                mode=str(ours.get("mode")),
                ours=str(ours["decision"]),
                theirs=str(theirs["decision"]),
                our_type=_text(ours.get("reason_type")),
                their_type=_text(theirs.get("reason_type")),
                our_why=str(ours.get("why") or ""),
                their_reason=str(theirs.get("reason") or ""),
            )
        )
    return agreement


def _text(value: object) -> str | None:
    return None if value is None else str(value)
