"""Small changes of a policy, each of which a good test would notice.

drop     a rule is gone                                flip     it stands in another list
widen    it covers more: one word less, one star more  narrow   it covers less: no star, no folders below
scope    it stands in the settings of another scope    hook     a PreToolUse hook is gone
mode     the session starts in another mode
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from toolaudit.model import Behavior, Hook, Mode, Policy, Rule, Scope, Source
from toolaudit.model.workspace import Workspace
from toolaudit.rules import grammar
from toolaudit.settings.rules import MANAGED_ONLY
from toolaudit.structs import replace


class Operator(StrEnum):
    DROP = "drop"
    FLIP = "flip"
    WIDEN = "widen"
    NARROW = "narrow"
    SCOPE = "scope"
    HOOK = "hook"
    MODE = "mode"


BEHAVIORS: Final = (Behavior.ALLOW, Behavior.ASK, Behavior.DENY)

MOVES: Final = {
    Scope.MANAGED: Scope.PROJECT,
    Scope.FLAG: Scope.PROJECT,
    Scope.LOCAL: Scope.USER,
    Scope.PROJECT: Scope.USER,
    Scope.USER: Scope.PROJECT,
}
"""Scope -> where a rule of it may be moved by mistake."""

START_MODES: Final = (Mode.DEFAULT, Mode.ACCEPT_EDITS, Mode.BYPASS, Mode.DONT_ASK, Mode.PLAN, Mode.AUTO)


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change, as it applies to the policy in any place."""

    operator: Operator
    description: str
    rule: Rule | None
    """The rule that is changed; None for hooks and modes."""
    source: Source | None
    change: Callable[[Rule, Workspace], Rule | None] | None = None
    """What becomes of the rule in a place; None: it is gone. Without it, the mutant is about a hook or the mode."""
    hook: Hook | None = None
    mode: Mode | None = None

    def apply(self, policy: Policy, workspace: Workspace) -> Policy:
        """`policy`, which is for the place of `workspace`, with this change."""
        if self.hook is not None:
            return replace(policy, hooks=tuple(one for one in policy.hooks if one != self.hook))
        if self.mode is not None:
            return replace(policy, mode=self.mode)
        rules = []
        for rule in policy.rules:
            changed = self.replaced(rule, workspace) if self.concerns(rule) else rule
            if changed is not None:
                rules.append(changed)
        return replace(policy, rules=tuple(rules))

    def concerns(self, rule: Rule) -> bool:
        """Whether `rule` is the one that is changed, in whatever place."""
        own = self.rule
        return own is not None and (own.source, own.behavior, own.text) == (rule.source, rule.behavior, rule.text)

    def forms(self, policy: Policy, workspace: Workspace) -> Iterator[Rule]:
        """The rule that is changed as `policy` has it, and what becomes of it; nothing where it is not in force."""
        for rule in policy.rules:
            if self.concerns(rule):
                yield rule
                changed = self.replaced(rule, workspace)
                if changed is not None:
                    yield changed

    def replaced(self, rule: Rule, workspace: Workspace) -> Rule | None:
        """What becomes of `rule`, the one that is changed."""
        assert self.change is not None
        changed = self.change(rule, workspace)
        return None if changed is None or grammar.dead(changed) else changed


def mutants(policy: Policy) -> Iterator[Mutant]:
    """Every change that can be made of `policy`, rule by rule in their order, then hooks and the mode."""
    managed_only = any(reason == MANAGED_ONLY for _, reason in policy.ignored)
    for rule in dict.fromkeys(policy.rules):
        yield _rule_mutant(Operator.DROP, f"drop {rule}", rule, lambda old, place: None)
        for behavior in BEHAVIORS:
            if behavior is not rule.behavior and not grammar.dead(_parsed(rule, rule.text, behavior)):
                yield _rule_mutant(Operator.FLIP, f"make {rule} one to {behavior}", rule, _flip(behavior))
        for operator, text in ((Operator.WIDEN, widened(rule)), (Operator.NARROW, narrowed(rule))):
            if text is not None and not grammar.dead(_parsed(rule, text, rule.behavior)):
                yield _rule_mutant(operator, f"{operator} {rule} to {text}", rule, _rewrite(text))
        target = MOVES.get(rule.source.scope)
        if target is not None:
            move = _move(target, managed_only=managed_only)
            yield _rule_mutant(Operator.SCOPE, f"move {rule} to {target} settings", rule, move)
    for hook in dict.fromkeys(policy.hooks):
        if hook.event == "PreToolUse":
            yield Mutant(Operator.HOOK, f"drop the hook {hook.command}", None, hook.source, hook=hook)
    if policy.mode is not None:
        for mode in START_MODES:
            if mode is not policy.mode:
                yield Mutant(Operator.MODE, f"start in mode {mode}", None, policy.mode_source, mode=mode)


def _rule_mutant(
    operator: Operator, description: str, rule: Rule, change: Callable[[Rule, Workspace], Rule | None]
) -> Mutant:
    return Mutant(operator, description, rule, rule.source, change)


def _parsed(rule: Rule, text: str, behavior: Behavior) -> Rule:
    return grammar.parse(text, behavior, rule.source, rule.root)


def _flip(behavior: Behavior) -> Callable[[Rule, Workspace], Rule | None]:
    return lambda old, place: _parsed(old, old.text, behavior)


def _rewrite(text: str) -> Callable[[Rule, Workspace], Rule | None]:
    return lambda old, place: _parsed(old, text, old.behavior)


def _move(scope: Scope, *, managed_only: bool) -> Callable[[Rule, Workspace], Rule | None]:
    def move(old: Rule, place: Workspace) -> Rule | None:
        if managed_only or (scope is Scope.PROJECT and old.behavior is Behavior.ALLOW and not place.trusted):
            return None
        root = posixpath.join(place.home, ".claude") if scope is Scope.USER else place.cwd
        return replace(old, source=replace(old.source, scope=scope), root=root)

    return move


def widened(rule: Rule) -> str | None:
    """The text of a rule that covers more: a word less before the star, a folder up, a server for its tool."""
    tool, specifier = rule.tool, rule.specifier
    if specifier is None:
        server, _, name = tool.rpartition("__")
        return server if tool.startswith("mcp__") and name and server.count("__") == 1 else None
    if tool in ("Bash", "PowerShell"):
        wide = _fewer_words(specifier)
    elif tool == "WebFetch" and specifier.startswith("domain:"):
        host = specifier.removeprefix("domain:").removeprefix("*.")
        wide = f"domain:*.{host.partition('.')[2]}" if host.count(".") > 1 else f"domain:*.{host}"
    elif tool in ("Read", "Edit"):
        folder = posixpath.dirname(specifier.rstrip("*").rstrip("/"))
        wide = f"{folder.rstrip('/')}/**" if folder not in ("", "~") or specifier.startswith("/") else "**"
    else:
        return tool
    return f"{tool}({_escaped(wide)})" if wide not in (specifier, None) else None


def _fewer_words(specifier: str) -> str | None:
    """A command pattern that covers more: cut at its first star or at its end, and a word shorter if it had a star."""
    head, star, _ = specifier.removesuffix(":*").partition("*")
    words = head.split()
    if star or specifier.endswith(":*"):
        if not specifier.endswith(f"{head}*") and not specifier.endswith(":*"):
            return f"{head}*" if head else None
        words = words[:-1]
    return f"{' '.join(words)} *" if words else None


def narrowed(rule: Rule) -> str | None:
    """The text of a rule that covers less: without its last star, or of one folder without those below."""
    tool, specifier = rule.tool, rule.specifier
    if specifier is None or "*" not in specifier:
        return None
    if tool in ("Bash", "PowerShell"):
        narrow = specifier.removesuffix(":*")
        if narrow == specifier:
            head, _, tail = specifier.rpartition("*")
            narrow = f"{head.rstrip()}{tail}" if tail else head.rstrip()
    elif tool == "WebFetch":
        narrow = specifier.replace("*.", "", 1)
    elif tool in ("Read", "Edit"):
        narrow = specifier.replace("**", "*", 1) if "**" in specifier else specifier.replace("*", "x", 1)
    else:
        return None
    return f"{tool}({_escaped(narrow)})" if narrow and narrow != specifier else None


def _escaped(specifier: str | None) -> str:
    r"""`specifier` as it is written in parentheses: the grammar reads `\(`, `\)` and `\\` as single characters."""
    text = specifier or ""
    return text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)") if set(text) & set("\\()") else text
