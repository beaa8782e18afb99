"""Rules and policies for tests, written as in a settings file."""

from __future__ import annotations

from collections.abc import Sequence

from toolaudit.model import Behavior, Policy, Rule, Scope, Source
from toolaudit.rules import grammar
from toolaudit.settings import load_objects

CWD, HOME = "/work/project", "/home/user"


def rule(text: str, behavior: str = "allow") -> Rule:
    return grammar.parse(text, Behavior(behavior), Source(Scope.PROJECT), CWD)


def rules(*texts: str, behavior: str = "allow") -> tuple[Rule, ...]:
    return tuple(rule(text, behavior) for text in texts)


def policy(*, allow: Sequence[str] = (), ask: Sequence[str] = (), deny: Sequence[str] = ()) -> Policy:
    lists = {"allow": list(allow), "ask": list(ask), "deny": list(deny)}
    return load_objects({Scope.PROJECT: {"permissions": lists}}, cwd=CWD, home=HOME)
