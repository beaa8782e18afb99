r"""Rule texts, and what they mean: tool, specifier, and why a rule is dead. The malformed ones are as measured."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolaudit.model import Behavior, Rule, Scope, Source
from toolaudit.rules.grammar import dead, governs, has_parameter, parameter, parse, split

SOURCE = Source(Scope.USER)


def rule(text: str, behavior: Behavior = Behavior.DENY) -> Rule:
    return parse(text, behavior, SOURCE, "/root")


READ = [
    # text, tool, specifier
    ("Bash", "Bash", None),
    ("Bash(*)", "Bash", None),
    ("Read(*)", "Read", None),
    ("*(*)", "*", None),
    ("Bash(npm test)", "Bash", "npm test"),
    ("Bash( npm test )", "Bash", " npm test "),
    ("Bash(npm test:*)", "Bash", "npm test:*"),
    ("Bash(**)", "Bash", "**"),
    ("Bash(npm 'a(b)')", "Bash", "npm 'a(b)'"),
    ("Bash(npm 'a)')", "Bash", "npm 'a)'"),
    ("Bash(npm 'a(')", "Bash", "npm 'a('"),
    ("Bash(npm 'a)(b')", "Bash", "npm 'a)(b'"),
    (r"Bash(npm 'a\(b\)')", "Bash", "npm 'a(b)'"),
    (r"Bash(npm 'a\b')", "Bash", r"npm 'a\b'"),
    (r"Bash(npm 'a\\b')", "Bash", r"npm 'a\b'"),
    (r"Bash(npm test\\)", "Bash", "npm test\\"),
    (r"Bash(npm 'a\\)b')", "Bash", r"npm 'a\)b'"),
    (r"Bash(npm 'a\\\)b')", "Bash", r"npm 'a\)b'"),
    (r"Bash(npm 'a\*b')", "Bash", r"npm 'a\*b'"),
    ("Read(./src/**)", "Read", "./src/**"),
    ("Task(Explore)", "Agent", "Explore"),
    ("Task", "Agent", None),
    ("WebFetch(domain:example.com)", "WebFetch", "domain:example.com"),
    ("mcp__srv__get", "mcp__srv__get", None),
]


@pytest.mark.parametrize(("text", "tool", "specifier"), READ, ids=[row[0] for row in READ])
def test_parse(text: str, tool: str, specifier: str | None) -> None:
    parsed = rule(text)
    assert (parsed.tool, parsed.specifier) == (tool, specifier)
    assert (parsed.text, parsed.root, parsed.source) == (text, "/root", SOURCE)
    assert dead(parsed) is None


DEAD = [
    # text, words of the reason; in every list
    ("", "empty"),
    ("()", "no tool is named"),
    ("(npm test)", "no tool is named"),
    ("Bash()", "empty parentheses"),
    ("Bash( )", "empty parentheses"),
    ("WebFetch()", "empty parentheses"),
    ("Bash(", "closing parenthesis is missing"),
    ("Bash(npm test", "closing parenthesis is missing"),
    ("Bash)", "not a tool name"),
    ("Bash(npm test) x", "text follows"),
    ("Bash(npm test),Read", "text follows"),
    (" Bash(npm test)", "blank"),
    ("Bash(npm test) ", "blank"),
    ("Bash (npm test)", "blank"),
    ("Bash\n(npm test)", "blank"),
    ("Bash(*) ", "blank"),
    (" mcp__srv__get", "blank"),
    ("bash(ls)", "case-sensitive; the tool is Bash"),
    ("BASH", "case-sensitive; the tool is Bash"),
    ("webfetch", "case-sensitive; the tool is WebFetch"),
    ("Ba?h", "not a tool name"),
    ("Bash[npm test]", "not a tool name"),
    ("Bash:npm test", "not a tool name"),
    ("Bash:*", "not a tool name"),
    ("Bash,Read", "not a tool name"),
    ("npm test", "not a tool name"),
    (r"Bash\(npm test)", "not a tool name"),
    (r"Bash(npm test\)", "escaped by a backslash"),
    ("Read(a.txt:*)", "may not hold :*"),
    ("Read(limit:*)", "may not hold :*"),
    ("Edit(replace_all:*)", "may not hold :*"),
    ("Write(content:*)", "may not hold :*"),
    ("WebFetch(domain:https://example.com)", "domain:"),
    ("WebFetch(domain:example.com/*)", "domain:"),
    ("Read(limit:*5)", "may not hold :*"),
    ("WebSearch(query:hel*)", "whole query:TEXT"),
    ("WebSearch(query:hello?)", "whole query:TEXT"),
    ("*(npm test)", "glob of tool names takes no specifier"),
    ("B*(npm test)", "glob of tool names takes no specifier"),
    ("mcp__srv__get(*)", "MCP tool takes no parentheses"),
    ("mcp__srv__get(x)", "MCP tool takes no parentheses"),
    ("mcp__srv__get()", "empty parentheses"),
    ("mcp__srv(get)", "MCP tool takes no parentheses"),
    ("mcp__srv__*(*)", "MCP tool takes no parentheses"),
    ("mcp__srv__", "names a server and then no tool"),
    ("Write(n.txt)", "write Edit(n.txt)"),
    ("Write(**)", "write Edit(**)"),
    ("MultiEdit(n.txt)", "write Edit(n.txt)"),
    ("NotebookEdit(n.ipynb)", "write Edit(n.ipynb)"),
    ("Glob(src/**)", "write Read(src/**)"),
    ("WebFetch(example.com)", "domain:"),
    ("WebFetch(https://example.com/*)", "domain:"),
    ("WebFetch(domain:)", "domain:"),
    ("WebFetch(domain: example.com)", "domain:"),
    ("WebFetch( domain:example.com)", "domain:"),
    ("WebFetch(DOMAIN:example.com)", "domain:"),
    ("WebFetch(url:*)", "domain:"),
    ("WebFetch(prompt:x)", "domain:"),
    ("WebSearch(hello)", "whole query:TEXT"),
]


@pytest.mark.parametrize("behavior", [Behavior.ALLOW, Behavior.ASK, Behavior.DENY])
@pytest.mark.parametrize(("text", "words"), DEAD, ids=[repr(row[0]) for row in DEAD])
def test_dead_in_every_list(text: str, words: str, behavior: Behavior) -> None:
    reason = dead(rule(text, behavior))
    assert reason is not None
    assert words in reason


DEAD_AS_ALLOW = ["*", "**", "B*", "*(*)", "mcp__*", "mcp__s*", "mcp__srv*", "mcp__*__get", "mcp__srv*__get", "*srv*"]


@pytest.mark.parametrize("text", DEAD_AS_ALLOW)
def test_a_glob_may_deny_but_not_allow(text: str) -> None:
    assert "approves nothing" in (dead(rule(text, Behavior.ALLOW)) or "")
    assert dead(rule(text, Behavior.ASK)) is None
    assert dead(rule(text, Behavior.DENY)) is None


@pytest.mark.parametrize("text", ["mcp__srv__*", "mcp__srv__pre_*", "mcp__srv__*get", "mcp__srv__*e*", "mcp__srv"])
def test_a_glob_after_a_literal_server_may_allow(text: str) -> None:
    assert dead(rule(text, Behavior.ALLOW)) is None


COMMAND_LINE = [
    # text, behaviour, dead
    ("mcp__srv__get(*)", Behavior.ALLOW, False),
    ("mcp__srv__get(*)", Behavior.DENY, False),
    ("mcp__srv__get(x:y)", Behavior.DENY, False),
    ("mcp__srv__get(x:*)", Behavior.DENY, False),
    ("mcp__srv__get(x:y)", Behavior.ALLOW, True),
    ("mcp__srv__get(x)", Behavior.DENY, True),
    ("mcp__srv(x:y)", Behavior.DENY, True),
    ("mcp__srv__*(x:y)", Behavior.DENY, True),
    ("mcp__srv(get)", Behavior.DENY, True),
]


@pytest.mark.parametrize(
    ("text", "behavior", "is_dead"), COMMAND_LINE, ids=[f"{row[1]}-{row[0]}" for row in COMMAND_LINE]
)
def test_parentheses_of_an_mcp_rule_on_the_command_line(text: str, behavior: Behavior, is_dead: bool) -> None:
    assert (dead(parse(text, behavior, Source(Scope.CLI), "/root")) is not None) is is_dead


ARGUMENTS = [
    ("Bash(npm test)", ["Bash(npm test)"]),
    ("Bash(npm test),Read", ["Bash(npm test)", "Read"]),
    ("Bash(npm test) Bash(zed)", ["Bash(npm test)", "Bash(zed)"]),
    ("Bash(npm test), Bash(zed)", ["Bash(npm test)", "Bash(zed)"]),
    ("Bash(npm a,b)", ["Bash(npm a,b)"]),
    ("  Bash(npm test),, ", ["Bash(npm test)"]),
    ("Bash (npm test)", ["Bash", "(npm test)"]),
    ("Bash(npm test)x", ["Bash(npm test)x"]),
    ("Bash(npm test)\nBash(zed)", ["Bash(npm test)\nBash(zed)"]),
    ("Bash(npm test) Bash(zed", ["Bash(npm test)", "Bash(zed"]),
    ("Bash(npm 'a(' c)", ["Bash(npm 'a(' c)"]),
    ("Bash(npm 'a)' c)", ["Bash(npm 'a)'", "c)"]),
    ("", []),
    ("(" * 100_000, ["(" * 100_000]),
]


@pytest.mark.parametrize(("argument", "rules"), ARGUMENTS, ids=[repr(row[0][:30]) for row in ARGUMENTS])
def test_split(argument: str, rules: list[str]) -> None:
    assert split(argument) == rules


GOVERNS = [
    # rule, tool, covered by a deny rule, by an allow rule
    ("Bash", "Bash", True, True),
    ("Bash(ls)", "Bash", True, True),
    ("Bash", "BashOutput", False, False),
    ("B*", "Bash", True, False),
    ("*", "mcp__srv__get", True, False),
    ("Web*", "WebFetch", True, False),
    ("W*h", "WebFetch", True, False),
    ("W*h", "Write", False, False),
    ("Task", "Agent", True, True),
    ("mcp__srv", "mcp__srv__get", True, True),
    ("mcp__srv", "mcp__srv2__get", False, False),
    ("mcp__srv__get", "mcp__srv__get", True, True),
    ("mcp__srv__pre_*", "mcp__srv__pre_a", True, True),
    ("mcp__srv__pre_*", "mcp__srv__get", False, False),
    ("mcp__srv__*get", "mcp__srv__get", True, True),
    ("mcp__*__get", "mcp__other__get", True, False),
    ("*__get", "mcp__other__get", True, False),
    ("mcp__a__b__get", "mcp__a__b__get", True, True),
    ("mcp__a__b__*", "mcp__a__b__get", True, True),
    ("mcp__a__b", "mcp__a__b__get", True, False),
    ("mcp__a__*", "mcp__a__b__get", True, False),
    ("mcp__a", "mcp__a__b__get", True, False),
    ("*a*a*", "a", False, False),
    ("a*a", "a", False, False),
]


@pytest.mark.parametrize(("text", "tool", "denied", "allowed"), GOVERNS, ids=[f"{row[0]}-{row[1]}" for row in GOVERNS])
def test_governs(text: str, tool: str, denied: bool, allowed: bool) -> None:
    assert governs(rule(text, Behavior.DENY), tool) is denied
    assert governs(rule(text, Behavior.ASK), tool) is denied
    assert governs(rule(text, Behavior.ALLOW), tool) is allowed


PARAMETERS = [
    ("Bash(timeout:5000)", ("timeout", "5000")),
    ("Bash( timeout : 50* )", ("timeout", "50*")),
    ("Bash(timeout:*)", ("timeout", "*")),
    ("Agent(subagent_type:Explore)", ("subagent_type", "Explore")),
    ("Skill(skill:foo)", ("skill", "foo")),
    ("Bash(a:b:c)", ("a", "b:c")),
    ("Bash(command:rm *)", None),
    ("Read(file_path:*)", None),
    ("Bash(timeout:)", None),
    ("Bash(:*)", None),
    ("Bash(ls)", None),
    ("Bash", None),
]


@pytest.mark.parametrize(("text", "expected"), PARAMETERS, ids=[row[0] for row in PARAMETERS])
def test_parameter(text: str, expected: tuple[str, str] | None) -> None:
    assert parameter(rule(text)) == expected
    assert parameter(rule(text, Behavior.ASK)) == expected
    assert parameter(rule(text, Behavior.ALLOW)) is None


INPUTS = [
    # rule, input, met
    ("Bash(timeout:5000)", {"timeout": 5000}, True),
    ("Bash(timeout: 5000 )", {"timeout": 5000.0}, True),
    ("Bash(timeout:5000)", {"timeout": 70000}, False),
    ("Bash(timeout:5000)", {}, False),
    ("Bash(timeout:*)", {"timeout": 1}, True),
    ("Bash(timeout:50*)", {"timeout": 5000}, True),
    ("Bash(timeout:5000.0)", {"timeout": 5000}, False),
    ("Bash(run_in_background:true)", {"run_in_background": True}, True),
    ("Bash(run_in_background:True)", {"run_in_background": True}, False),
    ("Bash(run_in_background:1)", {"run_in_background": True}, False),
    ("Bash(run_in_background:*)", {"run_in_background": False}, True),
    ("Bash(description:hello*)", {"description": "hello x"}, True),
    ("Bash(description:hello)", {"description": "hello x"}, False),
    ("Bash(description:*x)", {"description": "hello x"}, True),
    ("Bash(description:HELLO X)", {"description": "hello x"}, False),
    ("Bash(command:npm*)", {"command": "npm test"}, False),
    ("Bash(toString:*)", {}, False),
    ("Bash(a:*)", {"a": None}, False),
    ("Bash(a:*)", {"a": ["x"]}, False),
    ("Bash(a:0.5)", {"a": 0.5}, True),
    ("Bash(ls)", {"ls": "x"}, False),
]


@pytest.mark.parametrize(("text", "given_input", "met"), INPUTS, ids=[f"{row[0]}-{row[1]}" for row in INPUTS])
def test_has_parameter(text: str, given_input: dict[str, object], met: bool) -> None:
    assert has_parameter(rule(text), given_input) is met
    assert not has_parameter(rule(text, Behavior.ALLOW), given_input)


@given(st.text(), st.sampled_from([Behavior.ALLOW, Behavior.ASK, Behavior.DENY]))
def test_any_text_is_a_rule_or_dead(text: str, behavior: Behavior) -> None:
    parsed = rule(text, behavior)
    assert parsed.text == text
    if dead(parsed) is None:
        assert all(character.isascii() and (character.isalnum() or character in "_-*") for character in parsed.tool)


@given(st.text(alphabet="ab*", max_size=12), st.text(alphabet="ab", max_size=12))
def test_a_name_glob_means_what_its_pattern_says(pattern: str, name: str) -> None:
    def matches(pattern: str, name: str) -> bool:
        if not pattern:
            return not name
        if pattern[0] == "*":
            return matches(pattern[1:], name) or (bool(name) and matches(pattern, name[1:]))
        return bool(name) and name[0] == pattern[0] and matches(pattern[1:], name[1:])

    assert governs(rule(pattern or "x"), name) is matches(pattern or "x", name)
