"""At which step of the pipeline the recorded calls end, and some of the calls that end at each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from toolaudit.pipeline import STEPS
from toolaudit.pipeline.outcome import CallOutcome
from toolaudit.replay.decider import Decider, Settings
from toolaudit.transcripts import INPUT_FAILED, FileRead, Problem, RecordedCall

SHOWN = 5
"""Calls kept as examples of each step."""


@dataclass(frozen=True, slots=True)
class Walked:
    """One recorded call and its way through the steps."""

    recorded: RecordedCall
    outcome: CallOutcome

    @property
    def why(self) -> str:
        """What the step that ended the call said."""
        return next(entry.note for entry in self.outcome.trace if entry.stage == self.outcome.ended_by)


@dataclass(slots=True)
class Steps:
    """Recorded calls through all steps: iterate once for each call as it comes, then read the counts."""

    events: Iterable[RecordedCall | FileRead | Problem]
    settings: Settings
    ended: Counter[str] = field(default_factory=Counter)
    """Step -> calls that ended there."""
    examples: dict[str, list[Walked]] = field(default_factory=dict)
    problems: Counter[str] = field(default_factory=Counter)
    input_failed: bool = False

    def __iter__(self) -> Iterator[Walked]:
        decider = Decider(self.settings)
        for event in self.events:
            if isinstance(event, Problem):
                self.problems[event.trouble] += 1
                self.input_failed = self.input_failed or event.trouble in INPUT_FAILED
            elif isinstance(event, RecordedCall):
                walked = Walked(event, decider.walk(event))
                step = walked.outcome.ended_by
                self.ended[step] += 1
                kept = self.examples.setdefault(step, [])
                if len(kept) < SHOWN and all(one.why != walked.why for one in kept):
                    kept.append(walked)
                yield walked

    @property
    def calls(self) -> int:
        return sum(self.ended.values())

    def rows(self) -> Iterator[tuple[int, str, int]]:
        """Number, name and calls of each step, in their order."""
        for number, (name, _) in enumerate(STEPS, 1):
            yield number, name, self.ended.get(name, 0)
