"""What a text is compared with does not grow with rules that are about something else, and no rule is missed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolaudit.model import Behavior, Mode, Rule, Scope, Source, ToolCall
from toolaudit.model.workspace import UnknownWorkspace
from toolaudit.permissions.bash.matching import CommandRules
from toolaudit.pipeline import decide
from toolaudit.rules.commands import CommandPattern, collapse_blanks, compile_specifier
from toolaudit.rules.grammar import parse
from toolaudit.settings import load

COMMANDS = ["git status", "git log -1 && npm test", "make all | tail -3", "sudo env A=1 git push"]


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> list[CommandPattern]:
    """The patterns that texts are compared with, in their order."""
    seen: list[CommandPattern] = []
    matches = CommandPattern.matches

    def counted(self: CommandPattern, text: str) -> bool:
        seen.append(self)
        return matches(self, text)

    monkeypatch.setattr(CommandPattern, "matches", counted)
    return seen


@pytest.mark.parametrize("command", COMMANDS)
def test_a_thousand_rules_about_something_else_are_not_compared(command: str, compared: list[CommandPattern]) -> None:
    others = [f"Bash({program} other{number} *)" for number in range(250) for program in ("git", "npm", "make", "env")]
    anywhere = "* nowhere"
    policy = load(
        cli_allow=others[::2],
        cli_deny=[*others[1::2], f"Bash({anywhere})"],
        home="/home/user",
        cwd="/srv/shop",
    )
    decide(ToolCall("Bash", {"command": command}), policy, Mode.DEFAULT, UnknownWorkspace())
    assert set(compared) == {compile_specifier(anywhere)}


WORDS = st.sampled_from(["git", "log", "-1", "npm", "*", "a*", "", "log:*"])
SPECIFIERS = st.lists(WORDS, min_size=1, max_size=4).map(" ".join).filter(str.strip)
TEXTS = st.lists(st.sampled_from(["git", "log", "-1", "npm", "a", "ab"]), min_size=1, max_size=4).map(" ".join)


def rule(specifier: str) -> Rule:
    return parse(f"Bash({specifier})", Behavior.ALLOW, Source(Scope.CLI), "/")


@given(st.lists(SPECIFIERS, max_size=6), st.lists(TEXTS, max_size=3))
def test_the_first_rule_that_matches_is_found(specifiers: list[str], texts: list[str]) -> None:
    scoped = [made for made in map(rule, specifiers) if made.specifier is not None]
    patterns = [(compile_specifier(made.specifier or ""), made) for made in scoped]
    rules = CommandRules(scoped)
    assert rules.match(texts) is next((made for pattern, made in patterns if any(map(pattern.matches, texts))), None)
    for text in texts:
        assert collapse_blanks(text) == text
        assert rules.match_exact(text) is next((made for pattern, made in patterns if pattern.spells_out(text)), None)
