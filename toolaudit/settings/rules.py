"""The rules of all scopes: which are in force, which are set aside and why."""

from __future__ import annotations

import itertools
import posixpath
from collections.abc import Iterable, Iterator, Sequence

from toolaudit.model import Behavior, Finding, Rule, Scope, Severity
from toolaudit.rules import grammar
from toolaudit.settings.check import REPORTED, closest, more
from toolaudit.settings.document import Document
from toolaudit.settings.errors import quote
from toolaudit.settings.scopes import any_of, get

BEHAVIORS = (Behavior.DENY, Behavior.ASK, Behavior.ALLOW)

UNTRUSTED = "the workspace is not trusted"
MANAGED_ONLY = "managed settings allow managed permission rules only"


def collect(
    ranked: Sequence[Document], cwd: str, home: str, trusted: bool
) -> tuple[tuple[Rule, ...], tuple[tuple[Rule, str], ...]]:
    """The rules in force, by precedence and then in the order of their lists, and those set aside, with the reason."""
    managed_only = any_of(ranked, "allowManagedPermissionRulesOnly")
    rules: list[Rule] = []
    ignored: list[tuple[Rule, str]] = []
    for document in ranked:
        root = _root(document, cwd, home)
        for behavior in BEHAVIORS:
            unused = _unused(document.scope, behavior, managed_only, trusted)
            for index, entry in enumerate(get(document, "permissions", behavior) or ()):
                if not isinstance(entry, str):
                    continue
                source = document.source("permissions", behavior, index)
                for text in grammar.split(entry) if document.scope is Scope.CLI else (entry,):
                    rule = grammar.parse(text, behavior, source, root)
                    if reason := unused or grammar.dead(rule):
                        ignored.append((rule, reason))
                    else:
                        rules.append(rule)
    return tuple(rules), tuple(ignored)


def _unused(scope: Scope, behavior: Behavior, managed_only: bool, trusted: bool) -> str | None:
    """Why the client uses no rule of this list, or None where it does."""
    if managed_only and scope is not Scope.MANAGED and not (scope is Scope.CLI and behavior is Behavior.DENY):
        return MANAGED_ONLY
    if behavior is Behavior.ALLOW and scope is Scope.PROJECT and not trusted:
        return UNTRUSTED
    return None


def _root(document: Document, cwd: str, home: str) -> str:
    """What a path with one leading slash is relative to in a rule of `document` (measured)."""
    if document.scope is Scope.USER:
        return posixpath.join(home, ".claude")
    if document.scope is Scope.FLAG and document.directory is not None:
        return document.directory
    return cwd


def report(rules: Iterable[Rule], ignored: Iterable[tuple[Rule, str]]) -> Iterator[Finding]:
    """What a reviewer should know of the `rules` in force and of those set aside."""
    yield from _set_aside(ignored)
    yield from _unknown_tools(rules)


def _set_aside(ignored: Iterable[tuple[Rule, str]]) -> Iterator[Finding]:
    """A finding for each dead rule, and one for each list that is not in force as a whole."""
    lists: dict[tuple[Scope, Behavior, str], list[Rule]] = {}
    dead = []
    for rule, reason in ignored:
        if reason in (UNTRUSTED, MANAGED_ONLY):
            lists.setdefault((rule.source.scope, rule.behavior, reason), []).append(rule)
        else:
            dead.append(_dead(rule, reason))
    for (scope, behavior, reason), rules in lists.items():
        count = f"{len(rules):,} {behavior} rule{'s' * (len(rules) > 1)} of {scope} settings"
        severity = Severity.NOTE if reason == UNTRUSTED else Severity.WARNING
        help = "the client uses none of them"
        yield Finding("rules-ignored", severity, f"{count} not in force: {reason}", help, rules[0].source)
    yield from dead[:REPORTED]
    yield from more(dead, "rules that can never match", "they do nothing")


def _dead(rule: Rule, reason: str) -> Finding:
    grants = rule.behavior is Behavior.ALLOW
    return Finding(
        "rule-ignored",
        Severity.WARNING if grants else Severity.ERROR,
        f"the {rule.behavior} rule {quote(rule.text)} is not in force: {reason}",
        "it approves nothing" if grants else "what it should stop is not stopped",
        rule.source,
    )


def _unknown_tools(rules: Iterable[Rule]) -> Iterator[Finding]:
    """A finding for each name that no tool has; one with `_` may be a tool of an extension (documents, 1.3)."""
    first: dict[str, Rule] = {}
    for rule in rules:
        if rule.tool not in grammar.TOOLS and "_" not in rule.tool and "*" not in rule.tool:
            first.setdefault(rule.tool, rule)
    for name, rule in itertools.islice(first.items(), REPORTED):
        close = closest(name, grammar.TOOLS)
        yield Finding(
            "unknown-tool",
            Severity.WARNING,
            f"no tool is called {quote(name)}" + (f"; did you mean {close}?" if close else ""),
            "the client takes the rule and it matches nothing",
            rule.source,
        )
    yield from more(first, "rules for tools that do not exist", "the client takes them and they match nothing")
