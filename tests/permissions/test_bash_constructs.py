"""Which constructs the client looks into, and what it refuses, as measured under the rule `Bash(nx *)`."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from toolaudit.model import Decision

Ask = Callable[..., Decision]

ROWS = """
allow  nx a; ls
allow  nx a | cat && ls || pwd
allow  ! nx a
allow  if nx a; then ls; else nx b; fi
allow  while nx a; do ls; done
allow  [ -f a ] && nx a
allow  [[ -f a && -d b ]] && nx a
allow  nx $HOME/x
allow  nx "a $HOME b"
allow  nx *.txt
allow  nx ~
allow  nx $((1+1))
allow  nx "aa $(ls) b"
allow  nx "aa $(nx b)"
allow  nx "aa $(echo ")")"
allow  nx "exit $?"
allow  nx <<< x
allow  NODE_ENV=1; nx a
allow  nx {}
allow  nx '{a,b}'
allow  nx a # c
allow  nx \\( a \\)
allow  nx > /dev/null 2>&1
allow  timeout 5 ls
ask    timeout -k 1 5 ls
ask    timeout --foreground 5 ls
ask    sed -n 1p *.txt
ask    COLUMNS=a
allow  COLUMNS=80
allow  [ "a $(ls)" = b ]
ask    nx $X
ask    nx "$X"
ask    nx "$?"
ask    nx ${HOME}
ask    nx $(ls)
ask    nx "$(ls)"
ask    nx "a$(ls)"
ask    nx "aa $(ls | wc)"
ask    nx "aa $(ls; pwd)"
ask    nx "aa $(zz)"
ask    nx `ls`
ask    nx <(ls)
ask    nx {a,b}
ask    nx x{"a","b"}
ask    nx $'a'
ask    nx $((x+1))
ask    nx a\\ b
ask    nx =x
ask    nx a$ b
ask    nx --x="aa $(ls)"
ask    (nx a)
ask    { nx a; }
ask    for i in 1; do nx a; done
ask    for i in 1; do nx $i; done
ask    for ((;;)); do nx; done
ask    case x in x) nx;; esac
ask    f() { nx; }; f
ask    if nx a; then ls; fi > /dev/null
ask    if ls | cat; then nx; fi
ask    X=1; nx a
ask    A=1 B=2; nx a
ask    a=(1 2); nx
ask    nx a &
ask    nx <<E
ask    nx 2>&-
ask    nx <> a.txt
ask    nx > /dev/null a
ask    nx > /dev/tcp/h/1
ask    nx > out.txt
ask    nx < /etc/hostname
ask    > out.txt
ask    eval nx
ask    exec nx
ask    source nx
ask    trap nx EXIT
ask    watch nx
ask    -nx a
ask    $X nx
ask    [ a -eq b ] && nx
ask    nx ) (
"""

CASES = [line.split(None, 1) for line in ROWS.strip().splitlines()]


@pytest.mark.parametrize(("expected", "command"), CASES, ids=[command for _, command in CASES])
def test_construct(ask: Ask, expected: str, command: str) -> None:
    command = command.encode().decode("unicode_escape") if "\\\\" in command else command
    assert ask(command, allow=["Bash(nx *)"]).behavior == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("nx a <<'E'\nx\nE", "allow"),
        ("nx a <<E\nx\nE", "ask"),
        ("nx a <<'E' | cat\nx\nE", "ask"),
        ("nx <<'E'\n{ \"a\" }\nE", "ask"),
        ("nx -m \"$(cat <<'E'\nx $Y `z`\nE\n)\"", "allow"),
        ("nx a \\\n b", "allow"),
        ("nx a\\\n b", "ask"),
        ("nx 'a\n#b'", "ask"),
        ("nx a\u200b", "ask"),
        ("nx " + "a" * 11_000, "ask"),
        ("# nx\nnx a", "allow"),
    ],
)
def test_lines(ask: Ask, command: str, expected: str) -> None:
    assert ask(command, allow=["Bash(nx *)"]).behavior == expected


def test_whole_tool_allows_what_is_refused(ask: Ask) -> None:
    assert ask("eval $X", allow=["Bash"]).behavior == "allow"


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("cd src && ls", "allow"),
        ("cd src && cd ..", "ask"),
        ("cd . && git status", "allow"),
        ("cd src && git status", "ask"),
        ("cd src && timeout 5 git status", "ask"),
        ("git status && cd src", "ask"),
        ("cd src && echo x > y", "ask"),
        ("cd src && echo x > /dev/null", "allow"),
        ("cd src && touch y", "ask"),
        ("cd src && cat < a.py", "ask"),
        ("cd /tmp && ls", "ask"),
        ("cd a b", "ask"),
    ],
)
def test_directory_changes(ask: Ask, command: str, expected: str) -> None:
    assert ask(command, allow=["Bash(touch *)", "Bash(cd *)"]).behavior == expected


@pytest.mark.parametrize(
    ("command", "rules", "expected"),
    [
        ("cat .env", ["Read(.env)"], "deny"),
        ("cat ./src/../.env", ["Read(.env)"], "deny"),
        ("nx < .env", ["Read(.env)"], "deny"),
        ("cd src && cat ../.env", ["Read(.env)"], "deny"),
        ("(cat .env)", ["Read(.env)"], "deny"),
        ("echo x > .env", ["Edit(.env)"], "deny"),
        ("rm .env", ["Edit(.env)"], "deny"),
        ("rm .env", ["Read(.env)"], "ask"),
        ("find . -name .env", ["Read(.env)"], "allow"),
        ("cat $X .env", ["Read(.env)"], "ask"),
        ("cd src && ls", ["Read(.env)"], "ask"),
    ],
)
def test_denied_paths(ask: Ask, command: str, rules: list[str], expected: str) -> None:
    assert ask(command, deny=rules).behavior == expected


MENDED = [
    ("nx a |", "allow"),
    ("nx a | cat |&", "allow"),
    ("nx a;; nx b", "allow"),
    ("nx a;; rm x", "ask"),
    ("if nx a", "allow"),
    ("if nx a; then ls; else", "allow"),
    ("while nx a; do", "allow"),
    ("until rm x", "ask"),
    ("nx <<'E'\nx", "allow"),
    ("nx 'a", "allow"),
    ("nx a | | cat", "ask"),
    ("nx a &&", "ask"),
    (";; nx a", "ask"),
    ("nx a;;;", "ask"),
    ("for i in a", "ask"),
    ("(nx a", "ask"),
    ('nx "a', "ask"),
    ("|", "ask"),
]


@pytest.mark.parametrize(("command", "expected"), MENDED)
def test_what_the_client_mends(ask: Ask, command: str, expected: str) -> None:
    """Texts that bash refuses, and the client's own parser does not."""
    assert ask(command, allow=["Bash(nx *)"]).behavior == expected
