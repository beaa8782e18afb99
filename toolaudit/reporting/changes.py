from __future__ import annotations

from collections.abc import Mapping
from typing import TextIO

from toolaudit.conformance.cases import Case
from toolaudit.conformance.changes import Change, Changes
from toolaudit.reporting.text import plain

SUBJECT_KEYS = ("command", "file_path", "notebook_path", "path", "url", "pattern", "skill", "subagent_type")
SUBJECT_CHARS_MAX = 160


def write(found: Changes, cases: Mapping[str, Case], stream: TextIO, *, show: int = 0) -> None:
    """What changed, by kind, then the first `show` changes; a case that is known tells what was asked."""
    for change in (*found.decisions, *found.reasons)[:show]:
        _change(change, cases.get(change.before.id), stream)
    for (before, after), count in found.kinds.most_common():
        print(f"{count:6}  {before} became {after}", file=stream)
    for count, what in (
        (found.unanswered, "cases have no answer in one of the recordings and count nowhere"),
        (found.only_before, "cases are in the first recording only"),
        (found.only_after, "cases are in the second recording only"),
    ):
        if count:
            print(f"{count} {what}", file=stream)
    print(
        f"{len(found.decisions)} decisions changed of {found.compared}; "
        f"{len(found.reasons)} more have another reason type",
        file=stream,
    )


def summary(found: Changes, cases: Mapping[str, Case]) -> dict[str, object]:
    """The comparison as a JSON object (schema 1)."""
    return {
        "schema": 1,
        "compared": found.compared,
        "unanswered": found.unanswered,
        "only_before": found.only_before,
        "only_after": found.only_after,
        "changes": [
            {
                "id": change.before.id,
                "tool": cases[change.before.id].tool if change.before.id in cases else None,
                **{
                    side: {
                        "client": one.client,
                        "decision": one.decision,
                        "type": one.reason_type,
                        "reason": one.reason,
                    }
                    for side, one in (("before", change.before), ("after", change.after))
                },
            }
            for change in (*found.decisions, *found.reasons)
        ],
    }


def subject(case: Case) -> str:
    """What a case asks about, on one line: the command, the path or the like, cut where it is long."""
    texts = (case.input[key] for key in SUBJECT_KEYS if isinstance(case.input.get(key), str))
    return plain(next(texts, ""))[:SUBJECT_CHARS_MAX]


def _change(change: Change, case: Case | None, stream: TextIO) -> None:
    asked = "" if case is None else f"  {plain(case.tool)}, mode {case.mode or 'unset'}: {subject(case)}"
    print(f"{plain(change.before.id)}{asked}", file=stream)
    for one in (change.before, change.after):
        told = f"{one.decision} ({one.reason_type or '-'}): {one.reason or ''}"
        print(f"  {plain(one.client or '?'):10} {plain(told)}", file=stream)
