"""Which disagreements are worth a closer look: the kinds in turn, so that few of them show many faults."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, zip_longest
from typing import Any

from toolaudit.conformance.cases import Case
from toolaudit.conformance.decide import Decider
from toolaudit.conformance.minimise import Verdict
from toolaudit.model.versions import NEWEST, Version
from toolaudit.settings import SettingsError


def chosen(
    cases: Sequence[Case], recorded: Mapping[str, Mapping[str, Any]], count: int, version: Version = NEWEST
) -> list[Case]:
    """At most `count` cases in which the resolver and the recording disagree: one of each kind, then another of each.

    A kind is the tool with both decisions and both reason types.
    """
    kinds: dict[object, list[Case]] = {}
    for case, ours, theirs in _disagreements(cases, recorded, version):
        kinds.setdefault((case.tool, ours.kind, theirs.kind), []).append(case)
    in_turn = chain.from_iterable(zip_longest(*kinds.values()))
    return [case for case in in_turn if case is not None][:count]


def _disagreements(
    cases: Sequence[Case], recorded: Mapping[str, Mapping[str, Any]], version: Version
) -> Iterator[tuple[Case, Verdict, Verdict]]:
    decider = Decider(version)
    for case in cases:
        theirs = recorded.get(case.id)
        try:
            decision, _ = decider.decide(case)
        except SettingsError:
            continue
        if theirs is None or theirs["decision"] == "none":
            continue
        ours = Verdict(str(decision.behavior), decision.reason_type and str(decision.reason_type), decision.why)
        their = Verdict(str(theirs["decision"]), theirs.get("reason_type"), str(theirs.get("reason") or ""))
        if ours.decision != their.decision:
            yield case, ours, their
