"""How far two answers on the same calls agree: for a person, or as one JSON object."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TextIO

from toolaudit.classifier.agreement import Agreement, Pair
from toolaudit.model.verdict import Answer, Verdict
from toolaudit.reporting.text import plain

_ANSWERS = tuple(Answer)


def write(parts: Mapping[str, Agreement], ours: str, theirs: str, stream: TextIO, *, show: int) -> None:
    """For each part the rates, the confusion table, the categories, and `show` disagreements."""
    for name, part in parts.items():
        print(f"{name}: {part.calls:,} calls, {plain(ours)} against {plain(theirs)}", file=stream)
        if not part.calls:
            continue
        print(f"  agree        {part.agree:6,}  {part.agree / part.calls:7.2%}", file=stream)
        print(f"  false allow  {_cell(part, Answer.ALLOW, Answer.BLOCK):6,}  {part.false_allow:7.2%}", file=stream)
        print(f"  false block  {_not_allowed(part):6,}  {part.false_block:7.2%}", file=stream)
        stages = ", ".join(f"{stage} {count:,}" for stage, count in sorted(part.stages.items()))
        cost = f", {part.tokens:,} tokens, {part.dollars:.4f} dollars" if part.tokens else ""
        print(f"  settled by   {stages}; {part.seconds:.2f} s{cost}", file=stream)
        print(f"  {'':22}{''.join(f'they {answer:<13}' for answer in _ANSWERS)}", file=stream)
        for answer in _ANSWERS:
            cells = "".join(f"{_cell(part, answer, other):<18,}" for other in _ANSWERS)
            print(f"  we {answer:<19}{cells}".rstrip(), file=stream)
        for category, counts in sorted(part.categories.items()):
            wrong = sum(count for (one, other), count in counts.items() if one is not other)
            print(f"  {category or 'no category':22}{counts.total():5,} calls, {wrong:,} otherwise", file=stream)
        for pair in part.disagreements[:show]:
            print(f"  {plain(pair.asked.id)}: {plain(pair.asked.question.shown)[:160]}", file=stream)
            print(f"    we {_said(pair.ours)}; they {_said(pair.theirs)}", file=stream)
        left = len(part.disagreements) - show
        if left > 0:
            print(f"  and {left:,} more disagreements", file=stream)


def _said(verdict: Verdict) -> str:
    category = f" ({verdict.category})" if verdict.category else ""
    return f"{verdict.behavior}{category}: {plain(verdict.reason)}"


def _cell(part: Agreement, ours: Answer, theirs: Answer) -> int:
    return part.confusion[ours, theirs]


def _not_allowed(part: Agreement) -> int:
    return sum(_cell(part, answer, Answer.ALLOW) for answer in _ANSWERS if answer is not Answer.ALLOW)


def report_object(parts: Mapping[str, Agreement], ours: str, theirs: str) -> dict[str, Any]:
    """The same as data, with every kept disagreement."""
    return {
        "schema": 1,
        "ours": ours,
        "theirs": theirs,
        "parts": [
            {
                "part": name,
                "calls": part.calls,
                "agree": part.agree,
                "false_allow": part.false_allow,
                "false_block": part.false_block,
                "stages": [{"stage": stage, "calls": count} for stage, count in sorted(part.stages.items())],
                "seconds": part.seconds,
                "tokens": part.tokens,
                "dollars": part.dollars,
                "confusion": _table(part.confusion),
                "categories": [
                    {"category": category or None, "confusion": _table(cells)}
                    for category, cells in sorted(part.categories.items())
                ],
                "disagreements": [_pair(pair) for pair in part.disagreements],
            }
            for name, part in parts.items()
        ],
    }


def _table(cells: Mapping[tuple[Answer, Answer], int]) -> list[dict[str, Any]]:
    return [{"ours": ours, "theirs": theirs, "calls": count} for (ours, theirs), count in sorted(cells.items())]


def _pair(pair: Pair) -> dict[str, Any]:
    return {
        "id": pair.asked.id,
        "tool": pair.asked.question.call.tool,
        "shown": pair.asked.question.shown,
        "ours": _verdict(pair.ours),
        "theirs": _verdict(pair.theirs),
    }


def _verdict(verdict: Verdict) -> dict[str, Any]:
    return {
        "answer": verdict.behavior,
        "stage": verdict.stage,
        "category": verdict.category or None,
        "reason": verdict.reason,
    }
