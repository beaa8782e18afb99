"""The Bash sandbox, as measured: what runs by itself in it, what is kept out of it, and calls that ask to be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolaudit.model import Behavior, Decision, Mode, Policy, Scope, ToolCall
from toolaudit.model.workspace import DataWorkspace
from toolaudit.permissions import decide
from toolaudit.settings import load_objects

Ask = Callable[..., Decision]

TRUSTED = {"sandbox": {"enabled": True, "autoAllowBashIfSandboxed": True}}

CONTAINED = r"""
allow  nx
allow  nx && ny | nz; ny &
allow  nx > out.txt 2>&1
allow  echo x > .git/config
allow  cat /etc/hostname
allow  rm -rf build
allow  sudo nx
allow  bash -c "nx"
allow  cd src; cd lib; git push
allow  cp -r src dst
allow  xargs rm
allow  if nx | ny; then nz; fi
allow  while nx; do ny; done
allow  (nx && ny) | nz
allow  ! (nx)
allow  NODE_ENV="a b" nx
allow  LANG=en_US.UTF-8 nx
allow  NODE_ENV=1; nx
allow  for CI in a b; do nx; done
allow  read CI
allow  cat <<EOF\nhi "there\nEOF
allow  cat <<'EOF'\n$X\nEOF
allow  cat <<'EOF' | nx\nhi\nEOF
allow  cat > out.txt <<EOF\nhi\nEOF\nnx
allow  nx -a=b --c=d
allow  nx NODE_ENV=1
allow  dd if=a of=b
allow  python3 -c "import os; a=1"
allow  echo a=b | nx
allow  nx a:~user
ask    X=1 nx
ask    X=1; nx
ask    LANG=../x nx
ask    NODE_ENV=/etc/x nx
ask    NODE_ENV=$HOME nx
ask    NODE_ENV+=1 nx
ask    for i in a b; do nx; done
ask    for i; do nx; done
ask    read x
ask    printf -v a b
ask    wait -p a
ask    export X=1
ask    nx a=b
ask    nx "SELECT a = b"
ask    make CC=gcc
ask    dd a=b
ask    python3 -c "a=1"
ask    bash -c "a b=1"
ask    ./a=b
ask    nx ~user
ask    nx && echo a=b
ask    find . -delete
ask    find . -name *.py
ask    /usr/bin/find . -exec ls {} +
ask    env find . -delete
ask    xargs find
ask    awk "system(1)"
ask    awk -f a
ask    jq --from-file a
ask    jq 'import "a"; .'
ask    nx > /dev/tcp/a/1
ask    watch ls
ask    eval ls
ask    fc -s
ask    env -S nx
ask    (nx; ny)
ask    (nx) > out
ask    (X=1)
ask    { nx; }
ask    case x in x) nx;; esac
ask    f() { nx; }
ask    while nx; do ny; done < a.txt
ask    ((x++))
ask    cat <<EOF\n$X\nEOF
ask    cat <<EOF > out.txt\nhi\nEOF
ask    cat <<'EOF' && nx\nhi\nEOF
ask    cat <<EOF\nf({"a": 1})\nEOF
ask    rm -rf /
"""
"""What the client looks into, and would let run by itself only in the sandbox or not even there."""

UNSEEN = r"""
allow  nx $X
allow  nx "$X" ${Y:-z} `ny` "$(nz)"
allow  nx $(eval ls; f() { ls; }; f)
allow  nx {a,b} $'c' <(ny) $((x + 1))
allow  nx $X > $Y
allow  nx $X | ny && nz || true; ! nw &
allow  X=1 nx $Y
allow  X=1; nx $Y
allow  X=~ nx
allow  read x; nx $X
allow  nx $X a=b ~user
allow  timeout 5 nice -n 5 nx $X
allow  env -i X=1 nx $X
allow  sudo rm $X
allow  git rm $X
allow  find . -name "$X"
allow  nx $X; find . -type f
allow  nx $X; print a
allow  nx $X; test -f a
allow  nx "a\n# b"
ask    $X
ask    ~/x $(ny); $X
ask    "nx" $X
ask    a:b $X
ask    nx $X 2>&1 b
ask    > out nx $X
ask    nx ${!X}
ask    nx "${X:-$(ls)}"
ask    nx $X a\ b
ask    nx $X =ls
ask    nx $X {a"b"}
ask    nx $(cat <<'EOF'\nhi\nEOF\n)
ask    (nx $X)
ask    if nx; then ny $X; fi
ask    [ $X ]
ask    nx $X && [ -f a ]
ask    nx $X; export Y
ask    nx $X; unset Y
ask    nx $X; rm a
ask    env rm $X
ask    /bin/rm $X
ask    nx $X | awk 1
ask    nx $X | jq .
ask    find . $X
ask    find . -name "*.$X"
ask    nx $X; find . -delete
ask    print $X
ask    printf $'a'
ask    set $X
ask    timeout $X nx
ask    env X=$Y nx
ask    env PATH=x nx $X
ask    PATH=/x nx $X
ask    LD_PRELOAD=x nx $X
ask    X='a b' nx $Y
ask    X=$Y nx
ask    X=$(nx); ny $Y
ask    X=1; nx $X
ask    X[0]=1 nx $Y
ask    > $X
ask    nx $(rm -rf /)
"""
"""What the client does not look into: only plain commands in a row run by themselves."""


def rows(table: str) -> list[Any]:
    split = [line.split(maxsplit=1) for line in table.splitlines() if line]
    return [pytest.param(text.replace("\\n", "\n"), expected, id=text) for expected, text in split]


@pytest.mark.parametrize(("command", "expected"), rows(CONTAINED + UNSEEN))
def test_what_runs_by_itself_in_the_sandbox(ask: Ask, command: str, expected: str) -> None:
    assert ask(command, settings=TRUSTED).behavior == expected


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("default", "allow"),
        ("acceptEdits", "allow"),
        ("dontAsk", "allow"),
        ("auto", "allow"),
        ("bypassPermissions", "allow"),
        ("plan", "deny"),
    ],
)
def test_every_mode_but_plan_lets_a_contained_command_run(ask: Ask, mode: str, expected: str) -> None:
    assert ask("nx", mode=mode, settings=TRUSTED).behavior == expected


@pytest.mark.parametrize(
    "sandbox",
    [
        {},
        {"enabled": True},
        {"enabled": True, "autoAllowBashIfSandboxed": False},
        {"enabled": False, "autoAllowBashIfSandboxed": True},
    ],
    ids=str,
)
def test_only_a_sandbox_that_is_on_and_trusted_lets_anything_run(ask: Ask, sandbox: Mapping[str, Any]) -> None:
    assert ask("nx", settings={"sandbox": sandbox}).behavior == "ask"


RULES = [
    ("deny holds", {"deny": ["Bash(nx *)"]}, "ls && nx a", "deny", "rule"),
    ("deny sees nested commands", {"deny": ["Bash(nx *)"]}, "echo $(nx a)", "deny", "rule"),
    ("deny sees a whole pipeline", {"deny": ["Bash(nx * | ny)"]}, "nx a|ny", "deny", "rule"),
    ("deny does not see text", {"deny": ["Bash(nx *)"]}, "bash -c 'nx a'", "allow", None),
    ("deny for a text that is not contained", {"deny": ["Bash(nx *)"]}, "X=1 nx a", "deny", "subcommandResults"),
    ("paths are the sandbox's", {"deny": ["Read(.env)"]}, "cat .env", "allow", None),
    ("paths of what is not contained", {"deny": ["Read(.env)"]}, "X=1 cat .env", "deny", "subcommandResults"),
    ("ask holds", {"ask": ["Bash(nx *)"]}, "ls && nx a", "ask", "rule"),
    ("ask does not see nested commands", {"ask": ["Bash(nx *)"]}, "echo $(nx a)", "allow", None),
    ("ask sees what the client looks into", {"ask": ["Bash(nx *)"]}, 'echo "$(nx a) b"', "ask", "rule"),
    ("ask for a whole list", {"ask": ["Bash(nx && ny)"]}, "nx&&ny", "ask", "rule"),
    ("a bare ask is skipped", {"ask": ["Bash"]}, "nx", "allow", None),
    ("whatever is contained", {"ask": ["Bash"]}, "watch ls", "ask", "other"),
    ("a critical removal comes first", {"ask": ["Bash(rm *)"]}, "rm -rf /", "ask", "safetyCheck"),
]


@pytest.mark.parametrize(
    ("rules", "command", "expected", "reason"), [row[1:] for row in RULES], ids=[row[0] for row in RULES]
)
def test_rules_in_the_sandbox(
    ask: Ask, rules: Mapping[str, list[str]], command: str, expected: str, reason: str | None
) -> None:
    decision = ask(command, settings=TRUSTED, **rules)
    assert (decision.behavior, decision.reason_type) == (expected, reason)


EXCLUDED = [
    ("nx", "nx", True),
    ("nx", "nx a", False),
    ("nx *", "nx a", True),
    ("nx:*", "nx", True),
    ("* a", "nx a", True),
    ("nx *", "nx $X && nx b | nx c &", True),
    ("nx *", "nx a 2>&1", True),
    ("nx *", "nx a > out", False),
    ("nx *", "nx a > /dev/null", False),
    ("nx *", "ls && nx a", False),
    ("*", "ls && nx a", True),
    ("*", "(nx a)", False),
    ("*", "nx $(ny)", False),
    ("*", "nx {a,b}", False),
    ("nx *", "NODE_ENV=1 timeout 5 env nx a", True),
    ("nx *", 'NODE_ENV="1" nx a', False),
    ("nx *", "X=1 nx a", False),
    ("nx *", "command nx a", False),
    ("*", "sudo nx", False),
    ("nx *", '"nx" a', False),
    ("*", "cd src", False),
    ("*", "python3 x.py", True),
    ("*", "python3 -c x", False),
    ("*", "bash -e x.sh", True),
    ("*", "git push", True),
    ("*", "git -C x push", False),
    ("*", "git bisect run x", False),
    ("*", "docker -H x ps", False),
    ("Bash(nx *)", "nx a", False),
    ("", "nx a", False),
]


@pytest.mark.parametrize(("entry", "command", "excluded"), EXCLUDED, ids=[f"{row[0]}: {row[1]}" for row in EXCLUDED])
def test_what_is_kept_out_of_the_sandbox(ask: Ask, entry: str, command: str, excluded: bool) -> None:
    call = ("Bash", {"command": command, "dangerouslyDisableSandbox": True})
    decision = ask(call, settings={"sandbox": {"enabled": True, "excludedCommands": [entry]}})
    assert (decision.reason_type != "sandboxOverride") is excluded


OVERRIDES = [
    ("even a read asks", {}, "default", "ls", "ask", "sandboxOverride"),
    ("no edit is silent", {}, "acceptEdits", "touch a", "ask", "sandboxOverride"),
    ("a rule grants it", {"allow": ["Bash(nx *)"]}, "default", "nx a", "allow", None),
    ("rules for every part do", {"allow": ["Bash(nx *)"]}, "default", "nx a && nx b", "allow", None),
    ("a rule for one part does not", {"allow": ["Bash(nx *)"]}, "default", "nx a && ls", "ask", "sandboxOverride"),
    ("a rule for the whole does", {"allow": ["Bash(nx && ls)"]}, "default", "nx && ls", "allow", None),
    ("a bare rule does not", {"allow": ["Bash"]}, "default", "nx", "ask", "sandboxOverride"),
    ("what is not looked into", {}, "default", "nx $X", "ask", "sandboxOverride"),
    ("a safety check stays", {}, "default", "echo x > .git/config", "ask", "safetyCheck"),
    ("a critical removal stays", {}, "default", "rm -rf /", "ask", "safetyCheck"),
    ("a deny rule for a path holds", {"deny": ["Read(.env)"]}, "default", "cat .env", "deny", "subcommandResults"),
    ("an ask rule keeps its reason", {"ask": ["Bash(nx *)"]}, "default", "nx a", "ask", "rule"),
    ("a bare ask rule does not", {"ask": ["Bash"]}, "default", "nx a", "ask", "sandboxOverride"),
    ("nor one in bypass", {"ask": ["Bash"]}, "bypassPermissions", "nx a", "ask", "sandboxOverride"),
    ("bypass lets it run", {}, "bypassPermissions", "nx", "allow", None),
    ("auto asks the classifier", {}, "auto", "ls", "deny", "classifier"),
    ("dontAsk denies", {}, "dontAsk", "ls", "deny", "mode"),
    (
        "a rule on the parameter denies",
        {"deny": ["Bash(dangerouslyDisableSandbox:true)"], "allow": ["Bash(nx *)"]},
        "default",
        "nx a",
        "deny",
        "rule",
    ),
    (
        "a rule on the parameter asks",
        {"ask": ["Bash(dangerouslyDisableSandbox:true)"], "allow": ["Bash(nx *)"]},
        "default",
        "nx a",
        "ask",
        "rule",
    ),
]


@pytest.mark.parametrize(
    ("rules", "mode", "command", "expected", "reason"),
    [row[1:] for row in OVERRIDES],
    ids=[row[0] for row in OVERRIDES],
)
def test_a_call_that_asks_to_run_outside(
    ask: Ask, rules: Mapping[str, list[str]], mode: str, command: str, expected: str, reason: str | None
) -> None:
    call = ("Bash", {"command": command, "dangerouslyDisableSandbox": True})
    decision = ask(call, mode=mode, settings=TRUSTED, **rules)
    assert (decision.behavior, decision.reason_type) == (expected, reason)


@pytest.mark.parametrize(
    ("sandbox", "value", "expected"),
    [
        ({}, "true", "ask"),
        ({}, False, "allow"),
        ({}, "false", "allow"),
        ({"allowUnsandboxedCommands": False}, True, "allow"),
    ],
    ids=str,
)
def test_when_the_wish_to_run_outside_counts(
    ask: Ask, sandbox: Mapping[str, Any], value: object, expected: str
) -> None:
    call = ("Bash", {"command": "nx", "dangerouslyDisableSandbox": value})
    settings = {"sandbox": {**TRUSTED["sandbox"], **sandbox}}
    assert ask(call, settings=settings).behavior == expected


PIECES = st.sampled_from(
    [
        "nx",
        "ny a",
        "$X",
        '"$(ny)"',
        "rm -rf /",
        " && ",
        "; ",
        " | ",
        "(",
        ")",
        "<<EOF\n",
        "\nEOF\n",
        " a=b ",
        "X=1 ",
        "\\\n",
    ]
)
WORKSPACE = DataWorkspace.describe("/srv/app", "/home/dana")


def policy(**permissions: list[str]) -> Policy:
    return load_objects({Scope.USER: {**TRUSTED, "permissions": permissions}}, cwd="/srv/app", home="/home/dana")


TRUSTING, DENYING = policy(), policy(deny=["Bash(nx)", "Bash(nx *)"])


@given(st.lists(PIECES, min_size=1, max_size=8).map("".join))
def test_a_deny_rule_only_ever_takes_away(command: str) -> None:
    call = ToolCall("Bash", {"command": command})
    before = decide(call, TRUSTING, Mode.DEFAULT, WORKSPACE)
    after = decide(call, DENYING, Mode.DEFAULT, WORKSPACE)
    assert after.behavior in (before.behavior, Behavior.DENY)


@given(st.lists(PIECES, max_size=8).map("".join))
def test_the_sandbox_trusts_no_critical_removal(rest: str) -> None:
    decision = decide(ToolCall("Bash", {"command": f"rm -rf /; {rest}"}), TRUSTING, Mode.DEFAULT, WORKSPACE)
    assert decision.behavior is not Behavior.ALLOW
