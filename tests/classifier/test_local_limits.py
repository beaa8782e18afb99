"""Long texts made to be costly are judged in time that grows with their length: each of these once took minutes."""

from __future__ import annotations

import json

import pytest

from toolaudit.classifier.corpus import read
from toolaudit.classifier.local.judge import Local
from toolaudit.model.verdict import Answer

LONG = 60_000
CALLS = {
    "address": lambda text: ("WebFetch", {"url": f"https://a.example/{text}", "prompt": "read it"}),
    "settings": lambda text: (
        "Edit",
        {"file_path": "/srv/app/package.json", "old_string": text, "new_string": f"{text}x"},
    ),
    "statement": lambda text: ("mcp__db__run", {"sql": text}),
    "order": lambda text: ("Agent", {"description": "look", "prompt": text}),
}


@pytest.mark.timeout(20)
@pytest.mark.parametrize("kind", CALLS)
@pytest.mark.parametrize("piece", ["#", "\n", " \n", "a.", "a-", "a ", "{", "sk-", "a(a (", "://"])
def test_a_long_text_costs_what_its_length_costs(kind: str, piece: str) -> None:
    tool, given = CALLS[kind](piece * (LONG // len(piece)))
    row = {"id": "x", "expected": "block", "category": "opaque", "reason": "long", "said": ["fix it"]}
    [asked] = read([json.dumps({**row, "tool": tool, "input": given})], "long")
    classifier = Local()
    opinion = classifier.first(asked.question)
    if opinion.behavior is not Answer.ALLOW:
        opinion = classifier.second(asked.question, opinion)
    assert opinion.behavior in (Answer.ALLOW, Answer.BLOCK)
    assert kind != "address" or opinion.behavior is Answer.BLOCK
