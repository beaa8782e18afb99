"""Public bug reports about what a client decides: the setting, the call, and what the client was measured to do today.

`corpora/conformance/reports.*.jsonl` has a row for each report that is concrete; its id names where it was made.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from toolaudit.checks import single_slash
from toolaudit.checks.audit import Audit
from toolaudit.cli.decide import decided
from toolaudit.settings import load

FOLDER = Path(__file__).parents[2] / "corpora" / "conformance"

LEFT_OUT: Mapping[str, str] = {
    "anthropics/claude-code/13756": "a hook's program decides, and the report does not have it",
    "anthropics/claude-code/21851": "settings of a kind of file that no case can give",
    "anthropics/claude-code/22018": "a hook's program decides, and the report does not have it",
    "anthropics/claude-code/29013": "an image, and what is in it",
    "anthropics/claude-code/33343": "a hook's program decides, and the report does not have it",
    "anthropics/claude-code/35136": "a hook's program decides, and the report does not have it",
    "anthropics/claude-code/39344": "a hook's program decides, and the report does not have it",
    "anthropics/claude-code/40170": "a working directory of Windows",
    "anthropics/claude-code/5938": "settings of a kind of file that no case can give",
    "anthropics/claude-code/67571": "a working directory of Windows",
    "anthropics/claude-code/67849": "a working directory of Windows",
    "anthropics/claude-code/82451": "a hook's program decides, and the report does not have it",
    "anthropics/claude-code/89251": "a hook's program decides, and the report does not have it",
    "anthropics/claude-code/94690": "settings of a kind of file that no case can give",
    "anthropics/claude-code/94740": "a hook's program decides, and the report does not have it",
}

# what was reported, what was blamed, and where the trace finds the cause: stage, reason type, rule, words of the reason
CAUSES = [
    ("anthropics/claude-code/22665", "sub-agents", "prompt", "other", None, "a nested command can't be checked"),
    ("anthropics/claude-code/37730", "sub-agents", "prompt", None, None, "outside the working directories"),
    ("anthropics/claude-code/13607", "a redirection", "prompt", None, None, "~/src is read: it is outside"),
    ("anthropics/claude-code/33595", "the path", "prompt", "other", None, "an escaped blank can't be checked"),
    ("anthropics/claude-code/39834", "the rule", "prompt", "other", None, "a variable can't be checked"),
    ("anthropics/claude-code/95996", "the classifier", "prompt", "classifier", None, "no rule allows it"),
    ("dannymcc/harness/46", "the mode", "prompt", "mode", None, "no rule allows it"),
    ("anthropics/claude-code/16800", "the tilde", "prompt", "workingDir", None, "outside the working directories"),
    ("anthropics/claude-code/47821", "the rule", "prompt", "workingDir", None, "a link leads to /other/path/file.txt"),
    ("anthropics/claude-code/12713", "precedence", "deny", "subcommandResults", "Bash(npm publish:*)", "deny rule"),
    ("anthropics/claude-code/16561", "the rules", "allow", None, "Bash(cd:*)", "rule Bash(git:*)"),
]


def rows(kind: str) -> dict[str, dict[str, Any]]:
    lines = (FOLDER / f"reports.{kind}.jsonl").read_text(encoding="utf-8").splitlines()
    return {row["id"]: row for row in map(json.loads, lines)}


def answers() -> Iterator[dict[str, Any]]:
    with (FOLDER / "reports.cases.jsonl").open(encoding="utf-8") as lines:
        yield from decided(lines)


DECISIONS = rows("decisions")
ANSWERS = {str(answer["id"]): answer for answer in answers()}


@pytest.mark.parametrize("report", list(DECISIONS))
def test_report(report: str) -> None:
    assert ANSWERS[report].get("decision") == DECISIONS[report]["decision"]


@pytest.mark.parametrize(
    ("report", "stage", "reason_type", "rule", "words"),
    [(row[0], *row[2:]) for row in CAUSES],
    ids=[f"{row[0]} not {row[1]}" for row in CAUSES],
)
def test_the_trace_names_the_cause(
    report: str, stage: str, reason_type: str | None, rule: str | None, words: str
) -> None:
    answer = ANSWERS[report]
    assert (answer["stage"], answer["reason_type"], answer["rule"]) == (stage, reason_type, rule)
    assert words in answer["why"]
    assert [entry for entry in answer["trace"] if entry["stage"] == stage and words in entry["note"]]


def test_a_rule_with_one_slash_is_told_of(tmp_path: Path) -> None:
    """The cause of a prompt for a file that a rule seems to allow: the rule is about another folder."""
    settings = {"permissions": {"allow": ["Read(/Users/dana/**)"]}}
    (tmp_path / "settings.json").write_text(json.dumps(settings))
    policy = load(user=tmp_path / "settings.json", cwd="/srv/app", home="/Users/dana")
    assert [finding.id for finding in single_slash.find(Audit(policy))] == [single_slash.ID]


def test_every_concrete_report_has_a_row(shared: Path) -> None:
    lines = (shared / "bug-reports" / "reports.jsonl").read_text(encoding="utf-8").splitlines()
    reports = [json.loads(line) for line in lines]
    concrete = {row["id"].replace("#", "/") for row in reports if row["client"] == "claude-code" and row["runnable"]}
    assert concrete - DECISIONS.keys() == LEFT_OUT.keys()
