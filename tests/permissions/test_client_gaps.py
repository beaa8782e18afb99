"""Where the client lets something run that nobody granted: each row was measured to be allowed, and is told of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from toolaudit.model import Decision
from toolaudit.permissions.bash import gaps

Ask = Callable[..., Decision]

BYPASS: Mapping[str, Any] = {"mode": "bypassPermissions"}
NO_SUDO: Mapping[str, Any] = {"deny": ["Bash(sudo *)"], **BYPASS}
NO_PUSH: Mapping[str, Any] = {"deny": ["Bash(git push *)"], **BYPASS}
SETTERS: Mapping[str, Any] = {"allow": ["Bash(export *)", "Bash(test *)", "Bash(nx *)"]}
LIST: Mapping[str, Any] = {"allow": ["Bash(nx a && nx b)"]}

# the command, the rules and the mode, what is told, and of which part
ROWS: list[tuple[str, Mapping[str, Any], str, str]] = [
    ("LC_TIME=a ls", {}, gaps.ENVIRONMENT, "LC_TIME=a"),
    ("export PATH=/x && nx a", SETTERS, gaps.ENVIRONMENT, "PATH=/x"),
    ("test -v X", SETTERS, gaps.EVALUATED, "test -v X"),
    ("grep --foo x *.py", {}, gaps.OPTION, "grep --foo x *.py"),
    ("ls; md5sum --foo *.txt", {}, gaps.OPTION, "md5sum --foo *.txt"),
    ("nx a > out.txt && nx b", LIST, gaps.REDIRECTED, "nx a > out.txt"),
    ("sudo rm -rf /", BYPASS, gaps.REMOVAL, "sudo rm -rf /"),
    ("ls | xargs -n1 rm -rf /", BYPASS, gaps.REMOVAL, "xargs -n1 rm -rf /"),
    ("case x in x) rm -rf ~;; esac", BYPASS, gaps.REMOVAL, "rm -rf ~"),
    ("f() { rm -rf /; }; f", BYPASS, gaps.REMOVAL, "rm -rf /"),
    ("exec rm -rf /", BYPASS, gaps.REMOVAL, "exec rm -rf /"),
    ("time -p rm -rf /", BYPASS, gaps.REMOVAL, "rm -rf /"),
    ("rm -rf $'/'", BYPASS, gaps.REMOVAL, "rm -rf $'/'"),
    ("rm -rf / {a,b}", BYPASS, gaps.REMOVAL, "rm -rf / {a,b}"),
    ("env sudo x", NO_SUDO, gaps.DENIED, "env sudo x"),
    ("exec sudo x", NO_SUDO, gaps.DENIED, "exec sudo x"),
    ("coproc git push", NO_PUSH, gaps.DENIED, "git push"),
    ("xargs -n1 git push", NO_PUSH, gaps.DENIED, "xargs -n1 git push"),
    ('ls; bash -c "git push x"', NO_PUSH, gaps.DENIED, "git push x"),
    ("busybox sh -c 'ls && git push'", NO_PUSH, gaps.DENIED, "git push"),
]

QUIET: list[tuple[str, Mapping[str, Any]]] = [
    ("ls", {}),
    ("grep -rn x *.py", {}),
    ("nx a && nx b", LIST),
    ("rm -rf src", BYPASS),
    ("sudo ls", BYPASS),
    ("export A=1 && nx a", SETTERS),
    ("xargs -n1 git pull", NO_PUSH),
]


@pytest.mark.parametrize(("command", "rules", "message", "witness"), ROWS, ids=[row[0] for row in ROWS])
def test_gap(ask: Ask, command: str, rules: Mapping[str, Any], message: str, witness: str) -> None:
    decision = ask(command, **rules)
    assert decision.behavior == "allow"
    assert [(one.id, one.message, one.witness) for one in decision.findings] == [("client-gap", message, witness)]


@pytest.mark.parametrize(("command", "rules"), QUIET, ids=[row[0] for row in QUIET])
def test_no_gap(ask: Ask, command: str, rules: Mapping[str, Any]) -> None:
    decision = ask(command, **rules)
    assert decision.behavior == "allow"
    assert decision.findings == ()


@pytest.mark.parametrize("mode", ["default", "dontAsk", "plan"])
def test_nothing_is_told_of_what_is_not_allowed(ask: Ask, mode: str) -> None:
    decision = ask("LC_TIME=a nx", mode=mode)
    assert decision.behavior != "allow"
    assert decision.findings == ()
