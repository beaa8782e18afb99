"""What a test file may say, and what is said of one that says something else."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from toolaudit.model import Mode
from toolaudit.testing.case import Broken, Case, Suite
from toolaudit.testing.find import find
from toolaudit.testing.load import load_suite
from toolaudit.testing.run import run

SETTINGS = """\
{"permissions": {"deny": ["Bash(curl *)"]},
 "hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "check.sh"}]}]}}
"""


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "settings.json").write_text(SETTINGS)

    def load(text: str) -> Suite:
        path = tmp_path / "x.toolaudit.yaml"
        path.write_text(dedent(text))
        return load_suite(path)

    return load


def only(suite: Suite) -> Broken:
    (broken,) = suite.cases
    assert isinstance(broken, Broken), broken
    return broken


HEAD = "policy: settings.json\ncases:\n"


def cases(*entries: str) -> str:
    """A test file with these cases, each in one line of YAML from the third on."""
    return HEAD + "".join(f" - {{{entry}}}\n" for entry in entries)


FAULTS = {
    "no YAML": ("policy: [", "1:10: not YAML: "),
    "not an object": ("- 1\n", "1:1: expected an object with `policy` and `cases`"),
    "two documents": ("a: 1\n---\nb: 1\n", "expected one YAML document, got 2"),
    "a key twice": ("policy: a\npolicy: b\n", "2:1: the key 'policy' is there twice"),
    "a tag of one's own": ("policy: !include x\n", "1:9: expected no tag, got '!include'"),
    "a merge key": ("a: &a {x: 1}\nb:\n  <<: *a\n", "3:3: expected a word as key"),
    "no cases": ("policy: settings.json\ncases: []\n", "2:1: expected `cases` to be a list with at least one case"),
    "no policy": ("cases:\n - {command: ls, expect: ask}\n", "1:1: the key 'policy' is missing"),
    "no such policy": (
        "policy: nowhere.json\ncases:\n - {command: ls, expect: ask}\n",
        "nowhere.json:1:1: expected a settings file, got: no such file or directory",
    ),
    "a slip in a key": (
        f"{HEAD} - comand: ls\n   expect: ask\n",
        "3:4: there is no key 'comand' here; did you mean 'command'?",
    ),
    "a slip in what is expected": (
        f"{HEAD} - command: ls\n   expect:\n     decison: ask\n",
        "5:6: there is no key 'decison' here; did you mean 'decision'?",
    ),
    "nothing expected": (f"{HEAD} - command: ls\n", "3:4: the key 'expect' is missing"),
    "empty expectation": (f"{HEAD} - command: ls\n   expect: {{}}\n", "4:4: expected something to be expected"),
    "a decision that is none": (
        f"{HEAD} - command: ls\n   expect: maybe\n",
        "expected expect to be 'allow', 'ask'",
    ),
    "a mode that is none": (
        f"{HEAD} - command: ls\n   mode: fast\n   expect: ask\n",
        "4:4: expected mode to be 'default', 'manual'",
    ),
    "neither command nor tool": (f"{HEAD} - expect: ask\n", "3:4: expected either `command`, or `tool` and `input`"),
    "both": (f"{HEAD} - {{command: ls, tool: Bash, expect: ask}}\n", "3:4: expected either `command`"),
    "a tool without input": (f"{HEAD} - {{tool: Read, expect: ask}}\n", "3:4: expected `input` too"),
    "a tool there is not": (
        f"{HEAD} - tool: WebFecth\n   input: {{file_path: x}}\n   expect: ask\n",
        "3:4: no tool is called 'WebFecth'; did you mean WebFetch?",
    ),
    "a tool in lower case": (
        f"{HEAD} - tool: bash\n   input: {{command: x}}\n   expect: ask\n",
        "3:4: no tool is called 'bash'; did you mean Bash?",
    ),
    "an MCP server without a tool": (
        f"{HEAD} - tool: mcp__tracker\n   input: {{}}\n   expect: ask\n",
        "3:4: no tool is called 'mcp__tracker'; MCP tools are written mcp__SERVER__TOOL",
    ),
    "an input the client refuses": (
        f"{HEAD} - tool: Read\n   input: {{path: x}}\n   expect: ask\n",
        "4:4: the client would refuse this input of Read: the required parameter file_path is missing",
    ),
    "a matrix that nothing uses": (
        f"{HEAD} - command: ls\n   matrix: {{flag: [a]}}\n   expect: ask\n",
        "4:4: the matrix names 'flag', and no text of the case has {flag}",
    ),
    "a hook there is not": (
        f"{HEAD} - command: ls\n   hooks: [{{hook: other.sh, decision: deny}}]\n   expect: deny\n",
        "4:12: expected the PreToolUse hook 'other.sh', but the policy has 'check.sh'",
    ),
    "a relative cwd": (f"{HEAD} - {{command: ls, cwd: src, expect: ask}}\n", "expected cwd to be an absolute path"),
    "a version that is none": (f"{HEAD} - {{command: ls, client: new, expect: ask}}\n", "x.toolaudit.yaml:3:"),
    "a number where text is due": (f"{HEAD} - {{command: 5, expect: ask}}\n", "expected command to be a valid string"),
}


@pytest.mark.parametrize(("text", "said"), FAULTS.values(), ids=FAULTS)
def test_what_is_wrong_is_said_with_its_place(suite, text: str, said: str) -> None:
    assert said in str(only(suite(text)).error)


def test_one_broken_case_hides_no_other(suite) -> None:
    found = suite(cases("command: ls, expect: ask", "tool: Raed, expect: ask", "command: pwd, expect: ask"))
    assert [type(case) for case in found.cases] == [Case, Broken, Case]


def test_a_second_case_of_one_name_is_an_error(suite) -> None:
    found = suite(cases("name: a, command: ls, expect: ask", "name: a, command: pwd, expect: ask"))
    assert "another case is called 'a', in line 3" in str(found.cases[1].error)


def test_words_are_words(suite) -> None:
    """YAML 1.1 would read these as false, true and a date."""
    found = suite(cases(*(f"command: {word}, expect: ask" for word in ("no", "on", "2026-01-01"))))
    assert [case.call.input["command"] for case in found.cases] == ["no", "on", "2026-01-01"]


def test_aliases_that_unfold_to_too_much_are_refused(suite) -> None:
    levels = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 8))
    assert "more than 200,000 values" in str(only(suite(f"a0: &a0 [1]\n{levels}")).error)


def test_deep_nesting_is_refused(suite) -> None:
    assert "nested too deeply" in str(only(suite("a: " + "[" * 40 + "]" * 40)).error)
    assert "nested too deeply" in str(only(suite("a: " + "[" * 5000 + "]" * 5000)).error)


def test_a_matrix_makes_a_case_for_each_combination(suite) -> None:
    found = suite(
        f"{HEAD} - name: pushes\n   command: git push {{flag}} {{to}} {{other}}\n"
        "   matrix: {flag: [-f, '{to}'], to: [a, b], mode: [default, plan]}\n"
        "   expect: {decision: ask, rule: 'x {to}'}\n"
    )
    commands = [case.call.input["command"] for case in found.cases]
    assert commands[:4:2] == ["git push -f a {other}", "git push -f b {other}"]
    assert commands[4] == "git push {to} a {other}", "what is put in is not looked through again"
    assert [case.mode for case in found.cases[:2]] == [Mode.DEFAULT, Mode.PLAN]
    assert found.cases[0].name == "pushes (flag=-f, to=a, mode=default)"
    assert found.cases[2].expected.rule == "x b"
    assert len({case.name for case in found.cases}) == 8


def test_defaults_count_unless_a_case_says_otherwise(suite) -> None:
    found = suite(
        "policy: settings.json\ndefaults: {mode: plan, cwd: /srv/app}\ncases:\n"
        " - {command: 'ls {cwd} {home}', expect: ask}\n - {command: ls, mode: auto, cwd: /srv/other, expect: ask}\n"
    )
    first, second = found.cases
    assert (first.mode, first.workspace.cwd) == ("plan", "/srv/app")
    assert (second.mode, second.workspace.cwd) == ("auto", "/srv/other")
    assert first.call.input["command"] == "ls /srv/app /home/user"


def test_a_rule_that_is_null_expects_none(suite) -> None:
    found = suite(f"{HEAD} - {{command: ls, expect: {{rule: null}}}}\n")
    assert found.cases[0].expected.rule is None


def test_scopes_and_single_rules_make_a_policy(suite) -> None:
    found = suite("policy: {user: settings.json, allow: [Bash(make *)]}\ncases:\n - {command: make x, expect: allow}\n")
    assert {(str(rule), str(rule.source.scope)) for rule in found.cases[0].policy.rules} == {
        ("deny Bash(curl *)", "user"),
        ("allow Bash(make *)", "cli"),
    }


def test_files_are_found_in_folders_but_not_in_other_peoples(tmp_path: Path) -> None:
    names = (
        "a.toolaudit.yaml",
        "b/c.toolaudit.yml",
        "node_modules/x.toolaudit.yaml",
        ".hid/y.toolaudit.yaml",
        "z.yaml",
    )
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    found = [path.name for path in find([tmp_path, tmp_path / "b" / "c.toolaudit.yml"])]
    assert found == ["a.toolaudit.yaml", "c.toolaudit.yml"]
    assert [path.name for path in find([tmp_path / ".hid"])] == ["y.toolaudit.yaml"]
    with pytest.raises(FileNotFoundError):
        list(find([tmp_path / "nowhere"]))


def test_the_example_of_the_readme_passes(tmp_path: Path) -> None:
    """As it stands there, beside the sample's settings."""
    root = Path(__file__).parents[2]
    example = (root / "README.md").read_text().split("```yaml\n", 1)[1].split("```", 1)[0]
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude" / "settings.json").write_bytes(
        (root / "corpora" / "repository" / ".claude" / "settings.json").read_bytes()
    )
    (tmp_path / "policy").mkdir()
    (tmp_path / "policy" / "x.toolaudit.yaml").write_text(example)
    found = load_suite(tmp_path / "policy" / "x.toolaudit.yaml").cases
    assert len(found) == 5
    assert [case for case in found if isinstance(case, Broken) or not run(case).passed] == []
