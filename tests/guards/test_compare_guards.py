"""Guards are real programs here: small scripts, asked as Claude Code asks its hooks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from toolaudit.cli import main
from toolaudit.guards.guard import Guard
from toolaudit.tools.effects.commands import Refusing, find_runner

needs_sandbox = pytest.mark.skipif(isinstance(find_runner(), Refusing), reason="guards run in bubblewrap")

WORDS = 'import json, sys; call = json.load(sys.stdin); command = call["tool_input"].get("command", "")\n'
GUARDS = {
    "strict": "print(json.dumps({'hookSpecificOutput': {'permissionDecision': 'deny'}}))",
    "reasoned": (
        "print(json.dumps({'hookSpecificOutput': "
        "{'permissionDecision': 'deny', 'permissionDecisionReason': 'because'}}))"
    ),
    "code": "import os; os.write(2, b'blocked'); sys.exit(2 if 'rm' in command else 0)",
    "legacy": "print(json.dumps({'decision': 'approve'}))",
    "broken": "raise SystemExit(1)",
    "babbling": "print('hello')",
    "slow": "import time; time.sleep(30)",
}
CASES = [
    {"id": "list", "tool": "Bash", "input": {"command": "ls"}},
    {"id": "remove", "tool": "Bash", "input": {"command": "rm -rf {cwd}/build"}},
]


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    path = tmp_path / "cases.jsonl"
    path.write_text("".join(json.dumps(case) + "\n" for case in CASES))
    return path


def guard(tmp_path: Path, name: str) -> list[str]:
    script = tmp_path / f"{name}.py"
    script.write_text(WORDS + GUARDS[name])
    # What lies under /tmp is out of a sandbox's sight, so the script travels on the command line.
    return ["--guard", f"{name}=python3 -c 'exec(bytes.fromhex(\"{script.read_bytes().hex()}\"))'"]


def reasons(capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    row = json.loads(capsys.readouterr().out.splitlines()[0])
    return {name: said["why"] for name, said in row["verdicts"].items()}


def verdicts(capsys: pytest.CaptureFixture[str]) -> dict[str, dict[str, str]]:
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return {row["id"]: {name: said["verdict"] for name, said in row["verdicts"].items()} for row in rows}


@needs_sandbox
def test_guards_and_the_policy_stand_side_by_side(
    tmp_path: Path, cases: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ("strict", "code", "legacy")
    options = [option for name in names for option in guard(tmp_path, name)]
    assert main(["compare-guards", str(cases), *options, "--deny", "Bash(rm *)", "--json"]) == 1
    assert verdicts(capsys) == {
        "list": {"policy": "allow", "strict": "deny", "code": "silent", "legacy": "allow"},
        "remove": {"policy": "deny", "strict": "deny", "code": "deny", "legacy": "allow"},
    }


@needs_sandbox
@pytest.mark.parametrize("name", ["broken", "babbling", "slow"])
def test_a_guard_that_can_not_answer_takes_no_side(
    tmp_path: Path, cases: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    options = [*guard(tmp_path, name), *guard(tmp_path, "legacy"), "--timeout", "1"]
    assert main(["compare-guards", str(cases), *options, "--json"]) == 0
    assert verdicts(capsys)["list"] == {name: "failed", "legacy": "allow"}


@needs_sandbox
def test_the_table_shows_who_differs_and_why(tmp_path: Path, cases: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = [*guard(tmp_path, "code"), *guard(tmp_path, "legacy")]
    assert main(["compare-guards", str(cases), *options]) == 1
    out = capsys.readouterr().out
    assert "2 calls, 1 of them judged differently" in out
    assert "     1  code and legacy" in out
    assert "remove  Bash  rm -rf /tmp/probe/work/build" in out
    assert "  code         deny  blocked" in out


@needs_sandbox
def test_all_of_one_mind_exits_with_nothing_to_tell(
    tmp_path: Path, cases: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare-guards", str(cases), *guard(tmp_path, "legacy"), "--allow", "Bash"]) == 0
    assert "0 of them judged differently" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "name two guards"),
        (["--guard", "nameless"], "expected NAME=COMMAND"),
        (["--guard", "a=x"], "name two guards"),
        (["--guard", "a=x", "--guard", "a=y"], "each by its own name"),
    ],
)
def test_wrong_usage_is_told(cases: Path, options: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare-guards", str(cases), *options]) == 2
    assert said in capsys.readouterr().err


def test_a_guards_command_may_hold_equals_signs() -> None:
    assert Guard.parse("a=env X=1 guard", 5) == Guard("a", "env X=1 guard", 5)


@needs_sandbox
def test_a_reason_is_the_guard_s_own_words(tmp_path: Path, cases: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = ("strict", "reasoned", "broken")
    main(["compare-guards", str(cases), *(option for name in names for option in guard(tmp_path, name)), "--json"])
    assert reasons(capsys) == {"strict": "", "reasoned": "because", "broken": "it exited with code 1 and said nothing"}
