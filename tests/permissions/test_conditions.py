"""The `if` of a hook: for which commands the hook runs. Every row was measured."""

from __future__ import annotations

import pytest

from toolaudit.model import ToolCall
from toolaudit.permissions.stated_hooks import holds

# condition, commands it covers, commands it does not
ROWS = [
    (
        "Bash(git push *)",
        ("git push", "git push x", "ls && git push x", "A=b git push x", "xargs git push x"),
        ("ls a",),
    ),
    (
        "Bash(git push x)",
        ('git "push" x', "g'i't push x", "git  push x", "> f git push x", "(git push x)"),
        ("git push",),
    ),
    ("Bash(git *)", ("ls $(git x)", 'ls "aa $(git x)"', "X=$(git x) ls", "if git x; then ls; fi", "git"), ("gitk x",)),
    (
        "Bash(git *)",
        (),
        (
            "timeout 5 git x",
            "env git x",
            "sudo git x",
            "watch git x",
            "xargs -n1 git x",
            "/usr/bin/git x",
            "eval git x",
        ),
    ),
    ("Bash(*push*)", ("timeout 5 git push", "echo push"), ("ls #push",)),
    ("Bash(git *)", ("f() { ls; }; f", "{ ls; }", "(ls; pwd)", "(ls) > f", "(ls &)", "case x in a) ls;; esac"), ()),
    ("Bash(git *)", ("cat <<E\nx\nE", "echo {a,b}", "cat <(ls)", "echo $'a'", "((1))", "ls <>x", 'ls "'), ("eval ls",)),
    (
        "Bash(git *)",
        (),
        ("(ls)", "(ls && pwd)", "(ls) | cat", "cat <<'E'\nx\nE", "PATH=x nx", "let x=1", "X=1; echo $X"),
    ),
    (
        "Bash(git *)",
        (),
        ("echo $X", "ls $(pwd)", 'ls "$(pwd)"', "ls a$(pwd)", "ls `pwd` b", "/bin/ls $X &", 'ls $X "a"'),
    ),
    ("Bash(git *)", ("git $X", "ls; echo $X", "echo $X | cat", "! ls $X", "ls $X > f", "A=b ls $X", "ls a$X"), ()),
    ("Bash(git *)", ('ls "$X"', "ls $X 'a'", "ls $(pwd; ls)", "ls $(ls > f)", "$X a", "(ls $X)", 'ls $(ls "$X")'), ()),
    ("Bash(git *)", ("bash $X", "find $X", "printf $X", "sudo $X", "test $X", "python3 $X", "set $X"), ("rm -rf $X",)),
    ("Bash(git*)", ("git $X", "gitk $X"), ("echo $X",)),
    ("Bash(git push *)", ("echo $X",), ()),
    ("Bash(git *)", ("select x in a; do ls; done", "{ }", "ls; { }", "[ a", "[ -f a -a ]"), ("[ a ]", "[ a = b ]")),
    ("Bash(git *)", ("for i", "ls >", "ls &&", "[[ a"), ("if", "for i in a; do ls", "ls; while true; do ls")),
    ("Bash(git)", ("echo $X",), ()),
    ("Bash(*.ts)", ("echo $(ls)", "ls a.ts"), ("ls a",)),
]


@pytest.mark.parametrize(
    ("condition", "command", "expected"),
    [
        pytest.param(condition, command, expected, id=f"{condition} {command}")
        for condition, covered, others in ROWS
        for commands, expected in ((covered, True), (others, False))
        for command in commands
    ],
)
def test_condition(condition: str, command: str, expected: bool) -> None:
    assert holds(condition, ToolCall("Bash", {"command": command})) is expected
