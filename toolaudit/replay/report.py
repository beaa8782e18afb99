from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from toolaudit.model import Behavior, Finding, Mode, Rule
from toolaudit.model.verdict import Usage
from toolaudit.replay.record import Change
from toolaudit.replay.truth import TruthCount
from toolaudit.transcripts import Grounds, Problem, RecordedOutcome, Trouble

Counts = Mapping[Behavior, int]
"""Calls by what becomes of them; a behaviour with none may be absent."""


@dataclass(frozen=True, slots=True)
class Group:
    """Calls that a report tells together: same tool, subject and decision. Its place is the first one's."""

    tool: str
    subject: str
    outcome: RecordedOutcome
    behavior: Behavior
    stage: str
    why: str
    rule: Rule | None
    mode: Mode
    file: str
    line: int
    count: int


@dataclass(frozen=True, slots=True)
class Groups:
    """All calls of one kind, most frequent first."""

    total: int
    shown: tuple[Group, ...]
    left_out: int
    """Calls that are counted in `total` and belong to no group: the number of groups is bounded."""


@dataclass(frozen=True, slots=True)
class RuleUse:
    """How often a rule decided calls, and how often it settled a part of one without deciding the whole."""

    rule: Rule
    decided: int
    in_parts: int


@dataclass(frozen=True, slots=True)
class ClassifierUse:
    """What a classifier was asked in modes that have one, what it said, and what hangs on it."""

    fast: int
    """Calls that never reached it: rules, reads, edits in place, or the chain settled them."""
    stages: Mapping[str, Mapping[str, int]]
    """Stage -> answer -> calls."""
    categories: Mapping[str, int]
    """What the blocked calls were blocked for."""
    usage: Usage
    seconds: float
    """The time all verdicts took together."""
    flips: Mapping[str, Groups]
    """What else -> the calls whose decision would then be another."""


@dataclass(frozen=True, slots=True)
class Damage:
    """One kind of problem with the input."""

    trouble: Trouble
    total: int
    shown: tuple[Problem, ...]
    """The first ones."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a replay says, in numbers and with examples. All of it is bounded in size, however long the input."""

    calls: int
    copies: int
    """Calls left out because another file or line has the same one."""
    files: int
    lines: int
    sessions: int
    sidechain_calls: int
    strangers: Mapping[str, int]
    """Calls of other agents' tools without a counterpart in the client, by agent and tool; none is decided."""
    formats: Mapping[str, tuple[int, int]]
    """Files and calls (copies included) by format."""
    behaviors: Counts
    stages: Mapping[str, Counts]
    tools: Mapping[str, Counts]
    modes: Mapping[Mode, Counts]
    modes_recorded: int
    """Calls decided in their recorded mode."""
    outcomes: Mapping[RecordedOutcome, int]
    grounds: Mapping[Grounds, int]
    truths: tuple[TruthCount, ...]
    """The policy's decisions against what the recordings say, calls without a counterpart left out."""
    changes: Mapping[Change, Groups]
    """Without `SAME` and `UNKNOWN`, which need no examples: their numbers are in `change_counts`."""
    change_counts: Mapping[Change, int]
    rules: tuple[RuleUse, ...]
    """Rules that decided or settled something, most used first."""
    unused: tuple[Rule, ...]
    """Rules in force that did neither."""
    ignored: tuple[tuple[Rule, str], ...]
    complexities: Mapping[str, Counts]
    """Shell commands of which the reader can't say what they start, by its reason."""
    findings: Mapping[tuple[str, str], int]
    """What decisions brought up for a reviewer, by id and message, with the number of calls."""
    policy_findings: tuple[Finding, ...]
    troubles: tuple[Damage, ...]
    input_failed: bool
    """Something that was named could not be read."""
    classifier: ClassifierUse | None = None
    """None where no call was decided in a mode with a classifier."""
