"""Bash rules against commands, as measured: which spelling of a command each list of rules sees."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from toolaudit.model import Decision

Ask = Callable[..., Decision]

ALLOW = [
    ("exact", "nx a", "nx a", "allow"),
    ("exact is exact", "nx a", "nx a b", "ask"),
    ("exact keeps blanks", "nx a", "nx  a", "ask"),
    ("exact through a safe variable", "nx a", "NODE_ENV=x nx a", "allow"),
    ("exact through timeout", "nx a", "timeout 5 nx a", "allow"),
    ("exact without its redirection", "nx a", "nx a 2>&1", "allow"),
    ("prefix", "nx a:*", "nx a b", "allow"),
    ("prefix alone", "nx a:*", "nx a", "allow"),
    ("prefix ends at a word", "nx a:*", "nx ab", "ask"),
    ("a star before :* is a star", "nx a*:*", "nx ab", "ask"),
    (":* elsewhere is text", "nx:*b", "nx:ab", "allow"),
    ("space star", "nx *", "nx", "allow"),
    ("space star ends at a word", "nx *", "nxx", "ask"),
    ("glued star", "nx*", "nxx", "allow"),
    ("star in the middle", "nx * b", "nx a b", "allow"),
    ("no bare reading beside another star", "* x *", "nx x", "ask"),
    ("star over quotes", "nx *", "nx 'a && b'", "allow"),
    ("star over a line break", "nx *", 'nx "a\nb"', "allow"),
    ("a line break beside a star", 'nx "a\nb" *', 'nx "a\nb" c', "ask"),
    ("a line break spelled out", 'nx "a\nb"', 'nx "a\nb"', "allow"),
    ("blanks of a star rule collapse", "nx  a *", "nx a b", "allow"),
    ("quotes are text", "nx push *", "nx 'push' x", "ask"),
    ("the program's quotes are not", "nx *", '"nx" a', "allow"),
    ("a path is another program", "nx *", "/usr/bin/nx a", "ask"),
    ("unsafe variable", "nx *", "FOO=1 nx a", "ask"),
    ("safe variable with an odd value", "nx *", "NODE_ENV='a b' nx x", "ask"),
    ("nested wrappers", "nx *", "nohup nice -n 5 nx a", "allow"),
    ("time -p is no wrapper", "nx *", "time -p nx a", "ask"),
    ("stdbuf with a separate value", "nx *", "stdbuf -o L nx a", "ask"),
    ("command -v is no wrapper", "nx *", "command -v nx", "ask"),
    ("env is not looked through", "nx *", "env nx a", "ask"),
    ("sudo is not looked through", "nx *", "sudo nx a", "ask"),
    ("xargs alone is", "nx *", "xargs nx a", "allow"),
    ("xargs with options is not", "nx *", "xargs -n1 nx a", "ask"),
    ("find with an action", "find *", "find . -delete", "ask"),
    ("find with an action, spelled out", "find . -delete", "find . -delete", "allow"),
    ("cp with options", "cp *", "cp -r src dst", "ask"),
    ("awk that calls system", "awk *", 'awk "BEGIN{system(1)}"', "ask"),
    ("jq that reads a program", "jq *", "jq -f x a.txt", "ask"),
    ("spelled out with an operator", "nx a && nx b", "nx a && nx b", "allow"),
    ("a pipeline can't be spelled out", "nx a | nx b", "nx a | nx b", "ask"),
    ("spelled out without redirections", "nx a && nx b", "nx a > out.txt && nx b 2>&1", "allow"),
    ("spelled out, written elsewhere", "nx a && nx b", "nx a > /etc/x && nx b", "ask"),
    ("spelled out, with a target not known", "nx a && nx b", "nx a > $X && nx b", "ask"),
    ("each part of a command needs a rule", "nx *", "nx a && ny b", "ask"),
    ("and one is enough for all", "nx *", "nx a && nx b; nx c", "allow"),
    ("timeout with options", "nx *", "timeout -k 1 5 nx a", "allow"),
    ("integer evaluates", "integer *", "integer x", "ask"),
    ("a loop can", "for i in 1; do nx; done", "for i in 1; do nx; done", "allow"),
]


@pytest.mark.parametrize(("rule", "command", "expected"), [row[1:] for row in ALLOW], ids=[row[0] for row in ALLOW])
def test_allow_rule(ask: Ask, rule: str, command: str, expected: str) -> None:
    assert ask(command, allow=[f"Bash({rule})"]).behavior == expected


DENIED = [
    "nx push",
    "nx  push x",
    "nx\tpush",
    "nx 'push' x",
    "nx pu\\sh",
    '"nx" push',
    "/usr/bin/nx push",
    "./nx push",
    "ls && nx push",
    "ls | nx push",
    "(nx push)",
    "{ nx push; }",
    "echo $(nx push)",
    "echo `nx push`",
    "cat <(nx push)",
    "for i in 1; do nx push; done",
    "case x in x) nx push;; esac",
    "f() { nx push; }; f",
    "if nx push; then ls; fi",
    "while nx push; do ls; done",
    "a=$(nx push)",
    "FOO=1 nx push",
    "FOO=$X nx push",
    "timeout -k 5 5 nx push",
    "nice -5 nx push",
    "env -i A=1 nx push",
    "env -S 'nx push'",
    "sudo -u bob nx push",
    "doas nx push",
    "watch -n1 nx push",
    "setsid nx push",
    "flock /tmp/x nx push",
    "exec nx push",
    "xargs nx push",
    "nx $X push",
    "X=push; nx $X",
    "nx >/dev/null push",
    "! nx push &",
    "cat <<E\n$(nx push)\nE",
    "nx \\\npush",
    'a=push; nx "$a" x',
    "a=nx; $a push",
    "~/bin/nx push",
    "$HOME/bin/nx push",
    "${X}/nx push",
    "nsenter nx push",
    "env -x nx push",
    "sudo env nx push",
    "env nice nx push",
]

NOT_DENIED = [
    "nxpush",
    "nx pushx",
    "NX push",
    "nx -C /tmp push",
    'nx "$X" push',
    "nx push$X",
    "echo 'nx push'",
    "ls # nx push",
    "bash -c 'nx push'",
    "xargs -n1 nx push",
    "find . -exec nx push ;",
    "npx nx push",
    "cat <<'E'\nnx push\nE",
    "coproc nx push",
    "a=push b=c; nx $a x",
]


@pytest.mark.parametrize("command", DENIED)
def test_deny_rule_sees(ask: Ask, command: str) -> None:
    decision = ask(command, deny=["Bash(nx push *)"], allow=["Bash"])
    assert decision.behavior == "deny"
    assert decision.stage == "deny"
    assert decision.rule is not None
    assert decision.rule.text == "Bash(nx push *)"


@pytest.mark.parametrize("command", NOT_DENIED)
def test_deny_rule_does_not_see(ask: Ask, command: str) -> None:
    assert ask(command, deny=["Bash(nx push *)"]).behavior != "deny"


@pytest.mark.parametrize("mode", ["default", "acceptEdits", "bypassPermissions", "auto", "plan"])
def test_ask_rule_prompts_in_every_mode(ask: Ask, mode: str) -> None:
    decision = ask("nx push", ask=["Bash(nx push *)"], allow=["Bash"], mode=mode)
    assert (decision.behavior, decision.stage) == ("ask", "ask")


def test_ask_rule_denies_where_nobody_is_asked(ask: Ask) -> None:
    assert ask("nx push", ask=["Bash(nx push *)"], mode="dontAsk").behavior == "deny"


SUSPENDED = ["python3 *", "python3.11:*", "bash -c *", "npm run *", "npx *", "sudo *", "*", "b*", "timeout 5 python3 *"]
KEPT = ["npm test *", "npm *", "make *", "bash x.sh *", "npx tsc *", "git *", "uv run *", "python3 a.py"]


@pytest.mark.parametrize("specifier", SUSPENDED)
def test_auto_suspends(specifier: str) -> None:
    from toolaudit.permissions.bash.suspended import suspended

    assert suspended(specifier)


@pytest.mark.parametrize("specifier", KEPT)
def test_auto_keeps(specifier: str) -> None:
    from toolaudit.permissions.bash.suspended import suspended

    assert not suspended(specifier)


def test_suspended_rule_in_auto(ask: Ask) -> None:
    assert ask("python3 x.py", allow=["Bash(python3 *)"]).behavior == "allow"
    assert ask("python3 x.py", allow=["Bash(python3 *)"], mode="auto").reason_type == "classifier"


WRAPPED = [
    ("sudo x", "deny"),
    ("timeout 5 sudo x", "deny"),
    ("sudo env x", "deny"),
    ("env nice sudo x", "deny"),
    ("env sudo x", "ask"),
    ("nohup env sudo x", "ask"),
    ("doas sudo x", "ask"),
    ("exec sudo x", "ask"),
]


@pytest.mark.parametrize(("command", "expected"), WRAPPED)
def test_a_wrapper_right_behind_another_is_not_seen(ask: Ask, command: str, expected: str) -> None:
    assert ask(command, deny=["Bash(sudo *)"]).behavior == expected


DENIED_PATHS = [
    ("cat .env; eval ls", "deny"),
    ("watch ls; cat .env", "deny"),
    ("if cat .env; then eval ls; fi", "deny"),
    ("cat .env; (ls)", "deny"),
    ("env cat .env", "deny"),
    ("cat .env; echo $X", "ask"),
    ("cat .env; (ls; pwd)", "ask"),
    ("coproc cat .env", "ask"),
    ("sudo cat .env", "ask"),
]


@pytest.mark.parametrize(("command", "expected"), DENIED_PATHS)
def test_a_path_beside_what_is_refused(ask: Ask, command: str, expected: str) -> None:
    """A program that is refused hides no paths; a text that is written so as to hide something does."""
    assert ask(command, deny=["Read(.env)"]).behavior == expected


WHOLES = [
    ("if ls | cat; then pwd; fi", "* | *", "deny"),
    ("if ls | cat; then pwd; fi", "* | cat", "ask"),
    ("nx a | nx b; nx c", "* | *", "deny"),
    ("nx a | nx b; nx c", "nx a | *", "deny"),
    ("ls | cat &", "* | *", "deny"),
    ("ls | cat; pwd", "* | *", "allow"),
    ("nx a > out.txt", "* > *", "ask"),
]


@pytest.mark.parametrize(("command", "rule", "expected"), WHOLES)
def test_a_rule_with_a_star_and_a_joined_text(ask: Ask, command: str, rule: str, expected: str) -> None:
    """Such a rule meets a text of pipelines or constructs as a whole, where something stands against the text."""
    assert ask(command, deny=[f"Bash({rule})"]).behavior == expected


@pytest.mark.parametrize(
    ("rules", "command", "parts"),
    [
        ({"deny": ["Bash(nx *)"]}, "ls; nx a", ["allow", "deny"]),
        ({"deny": ["Read(.env)"]}, "cat .env; ls", ["deny", "allow"]),
        ({"ask": ["Bash(nx *)"], "allow": ["Bash(nx *)"]}, "ls; nx a", ["allow", "ask"]),
    ],
    ids=["denied", "denied for its path", "asked about"],
)
def test_the_part_a_rule_stops_is_told_from_the_others(
    ask: Ask, rules: dict[str, list[str]], command: str, parts: list[str]
) -> None:
    assert [str(outcome.behavior) for outcome in ask(command, **rules).subcommands] == parts


@pytest.mark.parametrize("rest", ["if", "if true; then ls", "while true; do ls", "until", 'ls "', "time -x", "! !"])
def test_a_path_is_denied_in_a_text_that_the_client_mends(ask: Ask, rest: str) -> None:
    assert ask(f"cat .env; {rest}", mode="bypassPermissions", deny=["Read(.env)"]).behavior == "deny"


@pytest.mark.parametrize("rest", ["(ls", "for i", "case x in", "ls >"])
def test_the_client_sees_no_path_in_other_damaged_texts(ask: Ask, rest: str) -> None:
    assert ask(f"cat .env; {rest}", mode="bypassPermissions", deny=["Read(.env)"]).behavior == "allow"


@pytest.mark.parametrize(
    ("command", "behavior"),
    [
        ("nx a && cd /d/nz", "deny"),
        ("nx a && mkdir nz", "deny"),
        ("nx a && cd src && git log nz", "deny"),
        ("nx a && cat /etc/nz", "deny"),
        ("nx a && cd src && ls nz", "allow"),
        ("nx a && ny nz", "allow"),
    ],
)
def test_a_star_spans_commands_where_a_path_or_a_change_of_directory_is_in_the_way(
    ask: Ask, command: str, behavior: str
) -> None:
    assert ask(command, allow=["Bash"], deny=["Bash(nx *nz)"]).behavior == behavior


@pytest.mark.parametrize(
    ("command", "denied"),
    [
        ("cp a.txt d", True),
        ("mv x/a.txt d/", True),
        ("cp d/a.txt q", False),
        ("mv d/a.txt q", True),
        ("cp a.txt q", False),
    ],
)
def test_files_are_copied_under_their_names(ask: Ask, command: str, denied: bool) -> None:
    decision = ask(command, mode="bypassPermissions", deny=["Edit(d/a.txt)"])
    assert (decision.behavior == "deny") == denied


@pytest.mark.parametrize(
    ("command", "behavior"),
    [
        ("sed -i s/x/y/ a.txt", "allow"),
        ("sed -i s/x/y/ key.pem", "ask"),
        ("sed -i s/x/y/ w", "ask"),
        ("sed -i -E s/x/y/ key.pem", "allow"),
    ],
)
def test_a_file_of_sed_that_could_be_a_script(ask: Ask, command: str, behavior: str) -> None:
    assert ask(command, mode="acceptEdits").behavior == behavior


@pytest.mark.parametrize(
    "command", ["ln -s / z", "mv ~/.claude z", "rm -rf ~/.claude", "echo x > ~/.claude/.credentials.json"]
)
def test_sign_in_tokens_are_out_of_reach(ask: Ask, command: str) -> None:
    for mode in ("default", "auto"):
        decision = ask(command, mode=mode, allow=["Bash"], classifier="allow")
        assert (decision.behavior, decision.reason_type) == ("ask", "safetyCheck")
