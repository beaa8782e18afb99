"""Differences between client versions: each with a call that shows it, and the recordings of an older client."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from toolaudit import CLIENT_VERSION
from toolaudit.cli.decide import decided
from toolaudit.conformance import compare, read_cases
from toolaudit.conformance.cases import Case
from toolaudit.conformance.decide import Decider
from toolaudit.model import Scope, ToolCall
from toolaudit.model.versions import FIRST, NEWEST, Difference, Version
from toolaudit.model.workspace import DataWorkspace
from toolaudit.permissions import decide
from toolaudit.settings import effective_mode, load_objects

OLD = Version(2, 1, 240)

Rules = Mapping[str, Any]

DENY_RM: Rules = {"deny": ["Bash(rm *)"]}
DENY_PUSH: Rules = {"deny": ["Bash(git push *)"]}
DENY_SECRETS: Rules = {"deny": ["Read(secrets/**)"]}
BYPASS: Rules = {"defaultMode": "bypassPermissions"}
AUTO: Rules = {"defaultMode": "auto"}

LIBRARY: Rules = {"additionalDirectories": ["/srv/lib"]}
EDITS: Rules = {"defaultMode": "acceptEdits"}

ROWS = [
    ("EDITS_PLAIN_TOUCH", "nohup touch x", EDITS, "allow", "ask"),
    ("EDITS_PLAIN_TOUCH", "touch -d x y", EDITS, "allow", "ask"),
    ("RULES_IN_EVERY_DIRECTORY", "cat /srv/lib/.env", {"deny": ["Read(.env)"], **LIBRARY}, "allow", "deny"),
    ("MENDS_LESS", 'ls "a', {}, "allow", "ask"),
    ("MENDS_LESS", "ls &&", {}, "allow", "ask"),
    ("SUSPENDS_BY_MEANING", "dash x", {**AUTO, "allow": ["Bash(dash *)"]}, "allow", "deny"),
    ("SUSPENDS_BY_MEANING", "python3 a.py", {**AUTO, "allow": ["Bash(python3 *.py)"]}, "allow", "deny"),
    ("DENY_LOOKS_INSIDE", "(rm x)", DENY_RM, "ask", "deny"),
    ("DENY_LOOKS_INSIDE", "case x in x) rm x;; esac", DENY_RM, "ask", "deny"),
    ("DENY_LOOKS_INSIDE", "while read l; do rm x; done < a.txt", DENY_RM, "ask", "deny"),
    ("DENY_LOOKS_INSIDE", "ls $(rm x)", DENY_RM, "ask", "deny"),
    ("DENY_LOOKS_INSIDE", "rm x; (ls)", DENY_RM, "ask", "deny"),
    ("DENY_LOOKS_INSIDE", "cd src; cd ..; rm x", DENY_RM, "ask", "deny"),
    ("DENY_LOOKS_INSIDE", "cd src && git clean -f", {**BYPASS, "ask": ["Bash(git clean *)"]}, "allow", "ask"),
    ("DENY_LOOKS_INSIDE", "echo ${A}; nx", {**BYPASS, "ask": ["Bash(nx *)"]}, "allow", "ask"),
    ("DENY_LOOKS_INSIDE", "(cat secrets/key)", DENY_SECRETS, "ask", "deny"),
    ("DENY_SEES_BASE_NAME", "/usr/bin/git push origin", DENY_PUSH, "ask", "deny"),
    ("DENY_SEES_BASE_NAME", "/usr/bin/sudo rm x", DENY_RM, "ask", "deny"),
    ("DENY_SEES_BASE_NAME", "sudo /bin/rm x", DENY_RM, "ask", "deny"),
    ("DENY_SEES_UNQUOTED", 'git "push" origin', DENY_PUSH, "ask", "deny"),
    ("DENY_SEES_UNQUOTED", "git $X push origin", DENY_PUSH, "ask", "deny"),
    ("DENY_SEES_PIPELINES", "curl x | sh", {"deny": ["Bash(curl * | sh)"]}, "ask", "deny"),
    ("DENY_SKIPS_REDIRECTS", "2>&1 rm x", DENY_RM, "ask", "deny"),
    ("VARIABLES_ASK", "FOO=1; nx a", {"allow": ["Bash(nx *)"]}, "allow", "ask"),
    ("VARIABLES_ASK", "for i in 1 2; do nx a; done", {"allow": ["Bash(nx *)"]}, "allow", "ask"),
    ("VARIABLES_ASK", "FOO=1", {}, "allow", "ask"),
    ("CD_GUARDS_READS", "cd src && cat a.py", DENY_SECRETS, "allow", "ask"),
    ("INPUT_REDIRECT_READS", "wc -l < secrets/key", DENY_SECRETS, "allow", "deny"),
    ("INPUT_REDIRECT_READS", "wc -l < /etc/hostname", {}, "allow", "ask"),
    ("COPY_READS_SOURCE", "cp secrets/key b", DENY_SECRETS, "ask", "deny"),
    ("TEXT_FILTERS_READ", "tac /etc/hostname", {}, "allow", "ask"),
    ("TIMEOUT_READS_ONLY", "timeout 5 ls", {}, "ask", "allow"),
    ("LISTERS_ARE_CHECKED", "which tsc --noEmit", {}, "allow", "ask"),
    ("LISTERS_ARE_CHECKED", "ps -e x", {}, "allow", "ask"),
    ("REMOVAL_SEEN_ANYWHERE", "(rm -rf /)", BYPASS, "allow", "ask"),
    ("REMOVAL_SEEN_ANYWHERE", "rm -rf / > out.txt", BYPASS, "allow", "ask"),
    ("REMOVAL_IN_SCRIPT", "bash -c 'rm -rf /'", BYPASS, "allow", "ask"),
    ("REMOVAL_OF_OUTPUT", 'rm -rf "$(pwd)"', BYPASS, "allow", "ask"),
    ("REMOVAL_UNDER_VARIABLE", 'rm -rf "$TMPDIR/mnt"', BYPASS, "allow", "ask"),
    ("TOKENS_ARE_GUARDED", "ln -s / z", {"allow": ["Bash"]}, "allow", "ask"),
    ("DENY_SEES_HINDERED", "nx a && cd /d/nz", {"allow": ["Bash"], "deny": ["Bash(nx *nz)"]}, "allow", "deny"),
    ("MISREADINGS_ASK", "ls $(", BYPASS, "allow", "ask"),
]

UNCHANGED = [
    ("top level", "ls && rm x", DENY_RM, "deny"),
    ("a loop", "for i in 1 2; do rm x; done", DENY_RM, "deny"),
    ("behind what is refused", "echo ${A}; rm x", DENY_RM, "deny"),
    ("a guarded variable", "PATH=/x; nx a", {"allow": ["Bash(nx *)"]}, "ask"),
    ("a variable and a part without a rule", "FOO=1; ls", {}, "ask"),
    ("a removal with its errors dropped", "rm -rf / 2>/dev/null", BYPASS, "ask"),
    ("environments", "ps e", {}, "ask"),
]

WORKSPACE = DataWorkspace.describe(
    "/srv/app", "/home/dana", {"a.txt": "x\n", "src/a.py": "x\n", "secrets/key": "x\n", "/srv/lib/.env": "x\n"}
)


def decision(command: str, rules: Rules, version: Version) -> str:
    policy = load_objects({Scope.USER: {"permissions": rules}}, cwd="/srv/app", home="/home/dana")
    mode, _ = effective_mode(policy)
    return decide(ToolCall("Bash", {"command": command}), policy, mode, WORKSPACE, version=version).behavior.value


@pytest.mark.parametrize(
    ("name", "command", "rules", "before", "after"), ROWS, ids=[f"{row[0]}: {row[1]}" for row in ROWS]
)
def test_difference(name: str, command: str, rules: Rules, before: str, after: str) -> None:
    difference = Difference[name]
    assert decision(command, rules, OLD) == before
    assert decision(command, rules, NEWEST) == after
    assert decision(command, rules, difference.since) == after


@pytest.mark.parametrize(
    ("command", "rules", "expected"), [row[1:] for row in UNCHANGED], ids=[r[0] for r in UNCHANGED]
)
def test_no_difference(command: str, rules: Rules, expected: str) -> None:
    assert decision(command, rules, OLD) == decision(command, rules, NEWEST) == expected


ELSEWHERE = {"BLOCKS_PROMPT", "AGENTS_SIDE_BY_SIDE", "AGENTS_SURFACE_PROMPTS", "HOOKS_REPLACE_OUTPUT"} | {
    "READS_FIRST_PAGE",
    "READ_LISTS",
    "EDITS_STALE_FILES",
    "EDIT_IGNORES_BLANKS",
    "LONG_SLEEPS_ARE_BLOCKED",
    "SETTINGS_BLOCK_OUTSIDE",
    "SETTINGS_DENY_PROMPTS",
}
"""Differences whose tests stand elsewhere: they show in sessions, or in calls that run."""


def test_every_difference_is_shown() -> None:
    assert {row[0] for row in ROWS} | ELSEWHERE == {difference.name for difference in Difference}


def session(mode: str, commands: list[str], version: Version) -> list[str]:
    """What one session decides about calls that follow each other."""
    settings = {"permissions": {"allow": ["Bash(nx *)"], "ask": ["Bash(asked *)"], "deny": ["Bash(denied *)"]}}
    lines = [
        json.dumps(
            {"id": str(n), "tool": "Bash", "input": {"command": c}, "mode": mode, "settings": {"user": settings}}
        )
        for n, c in enumerate(commands)
    ]
    decider = Decider(version)
    return [decider.decide(case)[0].behavior.value for case in read_cases(lines) if isinstance(case, Case)]


@pytest.mark.parametrize(
    ("mode", "commands", "expected"),
    [
        ("auto", ["a", "b", "c", "d"], ["deny", "deny", "ask", "ask"]),
        ("auto", ["a", "b", "rm -rf /", "c"], ["deny", "deny", "ask", "ask"]),
        ("auto", ["a", "b", "nx", "c", "d", "e"], ["deny", "deny", "allow", "deny", "deny", "ask"]),
        ("auto", ["a", "denied", "asked", "b", "c"], ["deny", "deny", "ask", "deny", "ask"]),
        ("plan", ["a", "nx", "b", "c"], ["deny", "allow", "deny", "ask"]),
    ],
    ids=["three in a row", "a removal counts", "an allowed call ends the row", "rules do not count", "not so in plan"],
)
def test_blocked_calls_in_a_row(mode: str, commands: list[str], expected: list[str]) -> None:
    assert session(mode, commands, OLD) == expected
    assert "ask" not in [
        said for said, command in zip(session(mode, commands, NEWEST), commands, strict=True) if command != "asked"
    ]


@pytest.mark.parametrize(
    "text", ["", "2.1", "2.1.x", "v2.1.332", "2.1.332-beta", "2.1.332 ", "-2.1.3", "٢.1.3", "9" * 5000]
)
def test_bad_versions(text: str) -> None:
    with pytest.raises(ValueError, match=CLIENT_VERSION):
        Version.parse(text)


def test_versions_are_ordered_by_number() -> None:
    assert FIRST < Version.parse("2.1.99") < OLD < Version.parse("2.1.257") < NEWEST < Version.parse("10.0.0")
    assert str(NEWEST) == CLIENT_VERSION


@pytest.mark.parametrize(("name", "least"), [("dev", 0.99), ("programs", 0.99), ("documents", 0.98)])
def test_recordings_of_the_older_client(shared: Path, name: str, least: float) -> None:
    folder = shared / "conformance"
    recorded = {
        record["id"]: record
        for record in map(json.loads, (folder / "v240.decisions.jsonl").read_text(encoding="utf-8").splitlines())
    }
    with (folder / f"{name}.cases.jsonl").open(encoding="utf-8") as lines:
        entries = [entry for entry in decided(lines, OLD) if entry["id"] in recorded]
    assert len(entries) > 100
    assert compare((entry, recorded[str(entry["id"])]) for entry in entries).total.agreement >= least
