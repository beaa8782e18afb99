"""What is expected of a decision, and when that is met."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolaudit.testing.load import load_suite
from toolaudit.testing.run import CaseResult, run
from toolaudit.testing.schema import json_schema
from toolaudit.testing.select import selector

SETTINGS = """\
{
  "permissions": {
    "allow": ["Bash(npm run *)", "Bash(git add *)", "Write(x)"],
    "ask": ["Bash(git push *)"],
    "deny": ["Bash(curl *)", "WebSearch"]
  },
  "hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "check.sh"}]}]}
}
"""


@pytest.fixture
def decided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude" / "settings.json").write_text(SETTINGS)

    def one(case: str) -> CaseResult:
        path = tmp_path / "x.toolaudit.yaml"
        path.write_text(f"policy: .\ncases:\n - {{{case}}}\n")
        (case_,) = load_suite(path).cases
        return run(case_)

    return one


MET = """
command: curl x, expect: deny
command: curl x, expect: {decision: [ask, deny], stage: deny, reason: subcommandResults}
command: curl x, expect: {rule: Bash(curl *), source: project}
command: git push, expect: {source: settings.json}
command: git push, expect: {source: "settings.json:4"}
command: git push, expect: {source: ".claude/settings.json:4"}
command: npm run a && git add b, expect: {decision: allow, rule: Bash(git add *)}
command: npm run a && git add b, expect: {decision: allow, rule: Bash(npm run *)}
command: make, expect: {decision: ask, rule: null}
command: make, expect: {finding: rule-ignored}
command: ls, expect: {decision: allow, rule: null}
tool: WebSearch, input: {query: abc}, expect: deny
tool: WebSearch, input: {query: abc}, expect: removed
command: npm run x, hooks: [{decision: deny}], expect: {decision: deny, reason: hook, rule: null}
command: make, hooks: [{hook: check.sh, decision: allow}], expect: allow
command: make, hooks: [{input: {command: curl x}}], expect: deny
command: make, mode: bypassPermissions, expect: {decision: allow, stage: mode}
"""

UNMET = """
decision | command: curl x, expect: ask
decision | command: curl x, expect: removed
stage | command: curl x, expect: {stage: ask}
reason | command: curl x, expect: {reason: mode}
rule | command: curl x, expect: {rule: Bash(curl*)}
rule | command: curl x, expect: {rule: null}
source | command: curl x, expect: {source: user}
source | command: curl x, expect: {source: "settings.json:4"}
source | command: curl x, expect: {source: ettings.json}
source | command: make, expect: {source: project}
finding | command: make, expect: {finding: [rule-ignored, other]}
decision | tool: Read, input: {file_path: x}, hooks: [{decision: deny}], expect: deny
"""


@pytest.mark.parametrize("case", MET.strip().splitlines())
def test_met(decided, case: str) -> None:
    assert decided(case).mismatches == ()


@pytest.mark.parametrize("row", UNMET.strip().splitlines())
def test_not_met(decided, row: str) -> None:
    what, case = row.split(" | ")
    result = decided(case)
    assert [one.what for one in result.mismatches] == [what]
    assert not result.passed


SELECTED = [
    ("push", "a push", True),
    ("PUSH", "a push", True),
    ("not push", "a push", False),
    ("push and force", "a push", False),
    ("pull or push and a", "a push", True),
    ("not not push", "a push", True),
    ("a push", "a push", True),
]


@pytest.mark.parametrize(("expression", "name", "meant"), SELECTED)
def test_a_selection(expression: str, name: str, meant: bool) -> None:
    assert selector(expression)(name) is meant


@pytest.mark.parametrize("expression", ["", "and x", "x or", "not"])
def test_a_selection_without_text(expression: str) -> None:
    with pytest.raises(ValueError, match="expected a text"):
        selector(expression)


def test_the_schema_takes_what_the_reader_takes() -> None:
    import jsonschema
    from ruamel.yaml import YAML

    sample = Path(__file__).parents[2] / "corpora" / "repository" / "policy"
    validator = jsonschema.Draft202012Validator(json_schema())
    validator.check_schema(json_schema())
    for path in sample.glob("*.toolaudit.yaml"):
        validator.validate(YAML(typ="safe").load(path.read_text()))
    assert not validator.is_valid({"policy": "x", "cases": [{"command": "x", "expct": "deny"}]})
    assert not validator.is_valid({"policy": "x", "cases": []})
