"""The format of scripts: what it means, and what is said of what is none."""

from __future__ import annotations

from pathlib import Path

import jsonschema
import pytest
from ruamel.yaml import YAML

from toolaudit.model import Behavior, Mode
from toolaudit.play import script
from toolaudit.play.schema import json_schema
from toolaudit.play.script import Calls, Meanwhile, Prompt, ScriptedCall, SetMode, Wait
from toolaudit.testing.errors import PolicyTestError

WHOLE = """\
mode: plan
steps:
  - prompt: Go
  - mode: acceptEdits
  - meanwhile: {a.py: "x", b.py: null}
  - wait: 0.5
  - call: {Read: {file_path: a.py}}
  - calls:
      - {tool: Bash, input: {command: ls}, answer: allow}
      - {tool: Agent, input: {prompt: p}, report: r, mode: bubble, steps: [{prompt: q}]}
"""


def test_every_kind_of_step() -> None:
    read = script.read(WHOLE.encode(), "s.yaml")
    assert read.mode is Mode.PLAN
    assert read.steps == (
        Prompt("Go"),
        SetMode(Mode.ACCEPT_EDITS),
        Meanwhile({"a.py": "x", "b.py": None}),
        Wait(0.5),
        Calls((ScriptedCall("Read", {"file_path": "a.py"}),)),
        Calls(
            (
                ScriptedCall("Bash", {"command": "ls"}, Behavior.ALLOW),
                ScriptedCall("Agent", {"prompt": "p"}, None, (Prompt("q"),), "r", Mode.BUBBLE),
            )
        ),
    )


def test_a_list_of_steps_is_a_script() -> None:
    assert script.read(b"- prompt: Go", "s.yaml").steps == (Prompt("Go"),)


BAD = {
    "no-list": ("steps: 1", "s.yaml:1:1: expected a list of steps, got 1"),
    "unknown-step": (
        "- sing: a song",
        "s.yaml:1:3: expected one of call, calls, meanwhile, mode, prompt, wait, got sing",
    ),
    "two-in-one": ("- {prompt: a, wait: 1}", "s.yaml:1:3: expected one thing to happen, got prompt, wait"),
    "mode": ("- mode: royal", "s.yaml:1:3: expected a permission mode"),
    "wait": ("- wait: 1000", "s.yaml:1:3: expected seconds from 0 to 60"),
    "no-calls": ("- calls: []", "s.yaml:1:3: expected a list of calls, got a list"),
    "input": ("- call: {Read: a.py}", "expected the input as an object, got a text"),
    "answer": ("- call: {tool: Bash, answer: perhaps}", "expected allow or deny"),
    "outside": ("- meanwhile: {../a: x}", "expected a path inside the workspace"),
    "no-text": ("- meanwhile: {a: 1}", "expected a text or null, got 1"),
    "no-yaml": ("- {", "s.yaml:"),
}


IN_THE_PLACE = frozenset({"outside", "no-yaml"})
"""What a schema can't tell."""


def test_the_schema_says_what_the_reader_takes() -> None:
    validator = jsonschema.Draft202012Validator(json_schema())
    validator.check_schema(json_schema())
    for text in (WHOLE, "- prompt: Go", Path("corpora/scripts/tour.yaml").read_text()):
        assert validator.is_valid(YAML(typ="safe").load(text)), text
    for case in BAD.keys() - IN_THE_PLACE:
        assert not validator.is_valid(YAML(typ="safe").load(BAD[case][0])), case


@pytest.mark.parametrize("case", BAD)
def test_what_is_no_script_is_told_with_its_place(case: str) -> None:
    text, said = BAD[case]
    with pytest.raises(PolicyTestError) as caught:
        script.read(text.encode(), "s.yaml")
    assert said in str(caught.value)
