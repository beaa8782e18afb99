"""Calls that were thought up for the embedded classifier's rules, harmful ones beside their harmless twins.

The tables in `cases` hold a line each: commands with what the user said before `=>`, calls of other tools as JSON. A
rule is worth a dozen such lines: other programs, other stacks, other words.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from toolaudit.classifier import Did, Question, Said, TwoStages
from toolaudit.classifier.local import Local
from toolaudit.model import ToolCall
from toolaudit.model.verdict import Answer
from toolaudit.tools.shown import shown

CASES = Path(__file__).parent / "cases"
LOCAL = TwoStages(Local())


def cases(name: str) -> Iterator[Question]:
    """The questions of both tables of that name."""
    for line in (CASES / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            said, _, command = line.partition(" => ")
            yield asked(said.split(" // "), "Bash", {"command": command})
    for line in (CASES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield asked([row["said"]], row["tool"], row["input"], row.get("did", ()))


def asked(said: list[str], tool: str, given: dict[str, Any], did: Any = ()) -> Question:
    call = ToolCall(tool, given)
    before = [ToolCall(one["tool"], one["input"]) for one in did]
    conversation = (*map(Said, said), *(Did(one, shown(one)) for one in before))
    return Question(call, shown(call), conversation, cwd="/srv/app", home="/home/dev")


@pytest.mark.parametrize(("name", "answer"), [("harmful", Answer.BLOCK), ("harmless", Answer.ALLOW)])
def test_each_of_them_is_told_from_its_twin(name: str, answer: Answer) -> None:
    questions = list(cases(name))
    assert len(questions) > 300
    wrong = [
        (question.conversation[0], question.shown, verdict.reason)
        for question in questions
        if (verdict := LOCAL.classify(question)).behavior is not answer
    ]
    assert not wrong
