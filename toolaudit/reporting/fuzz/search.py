"""The report of a search through a policy: what was found, shortest commands first, and what was looked at."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TextIO

from toolaudit.fuzz import rewrites
from toolaudit.fuzz.advisories import advisories
from toolaudit.fuzz.blind_spots import BlindSpots
from toolaudit.fuzz.campaign import Campaign
from toolaudit.fuzz.discovery import Discovery
from toolaudit.fuzz.rewrites.command import quote
from toolaudit.fuzz.smuggling import CARRIERS
from toolaudit.model import Behavior, Mode
from toolaudit.reporting.text import plain

NAMES_SHOWN = 8


@dataclass(frozen=True, slots=True)
class Circumstances:
    """How the search was made."""

    policy: str
    mode: Mode
    seed: int
    examples: int
    tries: int
    bash: str | None
    """The version that the commands were checked against; None: they were not."""
    unchecked: str = ""
    """Why not."""
    interrupted: bool = False


def write(campaign: Campaign, discoveries: Sequence[Discovery], about: Circumstances, stream: TextIO) -> None:
    for line in _lines(campaign, discoveries, about):
        stream.write(line + "\n")


def write_json(campaign: Campaign, discoveries: Sequence[Discovery], about: Circumstances, stream: TextIO) -> None:
    """The same for machines."""
    blind = campaign.blind_spots
    report = {
        "policy": about.policy,
        "mode": about.mode,
        "seed": about.seed,
        "examples": about.examples,
        "tries": about.tries,
        "bash": about.bash,
        "interrupted": about.interrupted,
        "discoveries": [_record(discovery) for discovery in discoveries],
        "unsearched": [{"rule": str(rule), "source": str(rule.source)} for rule in campaign.unsearched()],
        "blind_spots": [
            {
                "reason": reason,
                "example": blind.examples[reason],
                "outcomes": {str(behavior): count for behavior, count in outcomes.items()},
            }
            for reason, outcomes in _ranked(blind)
        ],
        "read": blind.read,
    }
    json.dump(report, stream, indent=2, ensure_ascii=False)
    stream.write("\n")


def _record(discovery: Discovery) -> dict[str, object]:
    rule = discovery.rule
    return {
        "question": discovery.question,
        "severity": discovery.severity,
        "rule": None if rule is None else str(rule),
        "source": None if rule is None else str(rule.source),
        "command": discovery.command,
        "behavior": discovery.behavior,
        "decided_by": discovery.decided_by,
        "started": discovery.started,
        "rewrites": discovery.rewrites,
        "alone": dict(discovery.alone),
        "note": discovery.note,
        "findings": [
            {"id": one.id, "message": one.message, "witness": one.witness or None} for one in discovery.findings
        ],
    }


def _lines(campaign: Campaign, discoveries: Sequence[Discovery], about: Circumstances) -> Iterator[str]:
    checked = f"checked against bash {about.bash}" if about.bash else f"not checked against bash: {about.unchecked}"
    yield f"{plain(about.policy)}, mode {about.mode}, seed {about.seed}: {about.tries:,} tries, {checked}"
    if about.interrupted:
        yield "interrupted; this is what was found until then"
    counts = Counter(str(discovery.severity) for discovery in discoveries)
    yield ", ".join(f"{counts[severity]} {severity}s" for severity in ("error", "warning", "note"))
    for discovery in discoveries:
        yield ""
        yield from _discovery(discovery)
    idle = campaign.unsearched()
    if idle:
        yield ""
        yield "rules that decided no command tried (dead, or others come first):"
        yield from (f"  {plain(str(rule))}  {rule.source}" for rule in idle)
    if campaign.blind_spots.outcomes:
        yield ""
        yield from _blind_spots(campaign.blind_spots)


def _discovery(discovery: Discovery) -> Iterator[str]:
    title = f"{discovery.severity} {discovery.question}"
    if discovery.rule is not None:
        title += f": {plain(str(discovery.rule))}  {discovery.rule.source}"
    yield title
    yield f"  command       {plain(discovery.command)}"
    if discovery.started is not None:
        yield f"  starts        {plain(' '.join(map(quote, discovery.started)))}"
    yield f"  decision      {discovery.behavior}: {plain(discovery.decided_by)}"
    for name in discovery.rewrites:
        yield f"  by            {name}: {_explain(name)}"
    if discovery.note:
        yield f"  note          {plain(discovery.note)}"
    for finding in discovery.findings:
        yield f"  {finding.id:<13} {plain(finding.message)}: {plain(finding.witness)}"
    yield from _alone(discovery)


def _alone(discovery: Discovery) -> Iterator[str]:
    """For each family of rewrites the shortest command of any of them, and their names."""
    alone = discovery.alone
    families: dict[str, list[str]] = {}
    for name in alone if tuple(alone) != discovery.rewrites else ():
        families.setdefault(rewrites.FAMILIES.get(name, "carriers"), []).append(name)
    if families:
        yield "  each of these does it alone, such as:"
    for family, names in families.items():
        command = min((alone[name] for name in names), key=lambda command: (len(command), command))
        yield f"    {family:<13} {plain(command)}"
        more = f" and {len(names) - NAMES_SHOWN} more" if len(names) > NAMES_SHOWN else ""
        yield f"                  ({', '.join(names[:NAMES_SHOWN])}{more})"


def _explain(name: str) -> str:
    published = {row.id: row.fact for row in advisories()}
    return plain(CARRIERS.get(name) or published.get(name) or rewrites.ALL[name].explanation)


def _blind_spots(found: BlindSpots) -> Iterator[str]:
    unread = sum(outcomes.total() for outcomes in found.outcomes.values())
    yield f"blind spots: {unread:,} of {unread + found.read:,} generated commands can't be read"
    for reason, outcomes in _ranked(found):
        fates = ", ".join(f"{behavior} {count}" for behavior, count in sorted(outcomes.items()))
        yield f"  {reason}: {fates}; such as {plain(found.examples[reason])}"


def _ranked(found: BlindSpots) -> list[tuple[str, Counter[Behavior]]]:
    return sorted(found.outcomes.items(), key=lambda item: (-item[1].total(), item[0]))
