"""A played script: a line a call as it ends, all steps of each where they are wanted, and what came of it all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, TextIO

from toolaudit.model import Behavior
from toolaudit.pipeline.outcome import CallOutcome
from toolaudit.pipeline.run import NOT_REACHED, STEPS
from toolaudit.play.player import Played
from toolaudit.replay.subject import subject
from toolaudit.reporting.text import colour_wanted, plain

_COLOURS: Final = {"done": 32, "failed": 33, "deny": 31, "removed": 31, "invalid": 35}
_NUMBERS: Final = {name: number for number, (name, _) in enumerate(STEPS, 1)}
_SUBJECT: Final = 70
_TOLD: Final = 110


def word(outcome: CallOutcome) -> str:
    """What became of the call: done, failed, or the word for how it was stopped."""
    if outcome.executed:
        return "done" if outcome.error_class is None else "failed"
    return "deny" if outcome.behavior is Behavior.ASK else str(outcome.behavior)


def record(played: Played) -> dict[str, Any]:
    """One call as a JSON object."""
    outcome = played.outcome
    decision = outcome.decision
    return {
        "id": outcome.call.id,
        "agent": played.agent or None,
        "mode": str(played.mode),
        "tool": outcome.call.tool,
        "input": dict(outcome.call.input),
        "became": word(outcome),
        "decision": str(decision.behavior) if decision is not None else None,
        "rule": decision.rule.text if decision is not None and decision.rule is not None else None,
        "ended_by": outcome.ended_by,
        "step": _NUMBERS[outcome.ended_by],
        "why": _why(outcome),
        "answered_by": outcome.answer.by if outcome.answer is not None else None,
        "error_class": outcome.error_class,
        "result": outcome.block,
        "trace": [
            {"stage": entry.stage, "note": entry.note, "decision": str(entry.behavior) if entry.behavior else None}
            for entry in outcome.trace
        ],
    }


def _why(outcome: CallOutcome) -> str:
    if outcome.end is not None:
        return outcome.end.why
    if outcome.error_class is not None:
        return _text(outcome.block)
    return outcome.decision.why if outcome.decision is not None else ""


def _told(outcome: CallOutcome) -> list[str]:
    """What a reader wants to know of a call that was asked about, stopped, or failed."""
    told = []
    if outcome.answer is not None and outcome.decision is not None:
        told += [f"asked: {outcome.decision.why}", f"answer: {outcome.answer.why}"]
    elif outcome.end is not None:
        told.append(outcome.end.why)
    if outcome.executed and outcome.error_class is not None:
        told.append(_text(outcome.block))
    return told


def _text(block: Mapping[str, Any] | None) -> str:
    content = (block or {}).get("content")
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, Sequence) else ()
    return " ".join(str(part.get("text", f"[{part.get('type')}]")) for part in parts if isinstance(part, Mapping))


class Writer:
    """Writes to a terminal or a pipe; texts of tools and scripts reach it as plain text."""

    def __init__(self, stream: TextIO, cwd: str, *, steps: bool) -> None:
        self._stream = stream
        self._cwd = cwd
        self._steps = steps
        self._colour = colour_wanted(stream)
        self._number = 0

    def call(self, played: Played) -> None:
        self._number += 1
        outcome = played.outcome
        became = word(outcome)
        about = self._short(f"{outcome.call.tool}  {subject(outcome.call)}", _SUBJECT)
        indent = "    " if played.agent else ""
        where = f"{_NUMBERS[outcome.ended_by]} {outcome.ended_by}" if became != "done" else ""
        self._line(f"{self._number:4}  {indent}{self._painted(f'{became:<7}', became)}  {about:<{_SUBJECT}}  {where}")
        for told in _told(outcome):
            self._line(f"               {indent}{self._short(told, _TOLD)}")
        if self._steps:
            for entry in outcome.trace:
                if entry.note != NOT_REACHED:
                    said = f" [{entry.behavior}]" if entry.behavior is not None else ""
                    number = _NUMBERS[entry.stage]
                    self._line(f"        {indent}{number:>2} {entry.stage:<12} {self._short(entry.note, 100)}{said}")

    def end(self, played: Sequence[Played], asked: int, stop: str | None) -> None:
        counts = Counter(word(one.outcome) for one in played)
        told = ", ".join(f"{count} {became}" for became, count in counts.most_common())
        self._line("")
        self._line(f"{len(played)} calls: {told or 'none'}; {asked} prompts")
        if stop is not None:
            self._line(f"the session was stopped: {plain(stop)}")

    def _short(self, text: str, most: int) -> str:
        text = " / ".join(text.replace(f"{self._cwd}/", "").replace(self._cwd, ".").splitlines())
        text = plain(text)
        return text if len(text) <= most else f"{text[: most - 1]}…"

    def _painted(self, text: str, became: str) -> str:
        return f"\x1b[{_COLOURS.get(became, 0)}m{text}\x1b[0m" if self._colour else text

    def _line(self, text: str) -> None:
        self._stream.write(text.rstrip() + "\n")
        self._stream.flush()
