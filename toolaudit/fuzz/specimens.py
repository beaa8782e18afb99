"""From a rule to calls it speaks of: what the search for ways around it starts from."""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolaudit.fuzz.facts import Argv, facts
from toolaudit.fuzz.meaning import canonical, static_words
from toolaudit.fuzz.rewrites.command import quote
from toolaudit.fuzz.trial import Trial
from toolaudit.model import Behavior, Rule, ToolCall
from toolaudit.permissions import decide
from toolaudit.shell import read

FILLERS = ("", "x", "-rf x", "origin main", "https://host.example/x", "--force", "-la .", "-c x")
"""What may stand where a rule has a star."""

SPECIMENS_MAX = 3
_STARS = re.compile(r"(?<!\\)\*+")


def specimens(rule: Rule, trial: Trial) -> list[Argv]:
    """Up to three argument lists, written plainly, that `rule` itself decides in this policy; none where it is dead,
    shadowed, or speaks of no command."""
    found: dict[object, Argv] = {}
    for argv in _candidates(rule, trial):
        decision = trial.decide(plain(argv))
        deciding = {decision.rule, *(outcome.rule for outcome in decision.subcommands)}
        if decision.behavior is rule.behavior and rule in deciding:
            found.setdefault(canonical(argv), argv)
        if len(found) == SPECIMENS_MAX:
            break
    return list(found.values())


def plain(argv: Argv) -> str:
    """`argv` as one would write it."""
    return " ".join(map(quote, argv))


def _candidates(rule: Rule, trial: Trial) -> Iterator[Argv]:
    if rule.specifier is None:
        return
    if rule.tool == "Bash":
        for text in _filled(rule.specifier):
            commands = [command for command in read(text).commands if command.argv]
            words = static_words(commands[0]) if len(commands) == 1 else None
            if words is not None:
                yield words
    elif rule.tool in ("Read", "Edit") and rule.behavior is not Behavior.ALLOW:
        for path in _paths(rule.specifier, trial.workspace.home):
            if _file_tool_obeys(rule, path, trial):
                for fact in facts():
                    if fact.how == ("reads" if rule.tool == "Read" else "writes"):
                        yield tuple(word.replace("{path}", path) for word in fact.words)


def _filled(specifier: str) -> Iterator[str]:
    text = specifier.removesuffix(":*") + " *" if specifier.endswith(":*") else specifier
    for filler in FILLERS:
        yield filler.join(_STARS.split(text)).replace("\\*", "*").strip()


def _paths(specifier: str, home: str) -> Iterator[str]:
    """A path or two that a pattern of a file rule matches, as one would write it."""
    path = specifier[1:] if specifier.startswith("//") else specifier.lstrip("!")
    path = path[1:] if specifier.startswith("/") and not specifier.startswith("//") else path
    if path == "~" or path.startswith("~/"):
        path = home + path[1:]
    for filler in ("x", "x.txt"):
        yield path.replace("**", filler).replace("*", filler).replace("?", "x")


def _file_tool_obeys(rule: Rule, path: str, trial: Trial) -> bool:
    """Whether the rule itself decides for the file tool it is named after."""
    absolute = path if path.startswith("/") else f"{trial.workspace.cwd}/{path}"
    call = (
        ToolCall("Read", {"file_path": absolute})
        if rule.tool == "Read"
        else ToolCall("Write", {"file_path": absolute, "content": ""})
    )
    decision = decide(call, trial.policy, trial.mode, trial.workspace)
    return decision.behavior is rule.behavior and decision.rule == rule
