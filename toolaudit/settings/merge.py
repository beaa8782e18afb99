from __future__ import annotations

import itertools
import posixpath
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from toolaudit.model import (
    AutoMode,
    Behavior,
    Directory,
    Finding,
    Hook,
    Mode,
    Policy,
    Rule,
    Sandbox,
    Scope,
    Severity,
    Source,
)
from toolaudit.rules import grammar
from toolaudit.settings import hooks
from toolaudit.settings.check import REPORTED, check, closest, more
from toolaudit.settings.document import Document
from toolaudit.settings.errors import quote

PRECEDENCE = tuple(Scope)
BEHAVIORS = (Behavior.DENY, Behavior.ASK, Behavior.ALLOW)

UNTRUSTED = "the workspace is not trusted"
MANAGED_ONLY = "managed settings allow managed permission rules only"

REPOSITORY = frozenset({Scope.PROJECT, Scope.LOCAL})
"""Scopes whose files a repository may bring along."""

COUNTS_IN = {
    ("allowManagedPermissionRulesOnly",): frozenset({Scope.MANAGED}),
    ("allowManagedHooksOnly",): frozenset({Scope.MANAGED}),
    ("autoMode",): frozenset(Scope) - REPOSITORY,
    ("useAutoModeDuringPlan",): frozenset(Scope) - {Scope.PROJECT},
    ("permissions", "denyInsteadOfPrompting"): frozenset(Scope) - REPOSITORY,
}
"""Key -> the scopes whose settings count (measured); everywhere else the client ignores the key."""


def merge(documents: Sequence[Document], *, cwd: str, home: str, trusted: bool) -> Policy:
    """The policy that `documents` make together, whatever their order.

    Lists join in the order of precedence; of a key with one value the highest scope that has it wins; a switch that
    restricts is on where any scope that counts turns it on (measured). Raises SettingsError where the client would drop
    one of the documents.
    """
    ranked = sorted(documents, key=lambda document: PRECEDENCE.index(document.scope))
    findings: list[Finding] = []
    for document in ranked:
        findings += check(document)
        findings += _misplaced(document)
    rules, ignored = _rules(ranked, cwd, home, trusted)
    mode, mode_source, unused_mode = _mode(ranked)
    auto_disabled = _any(ranked, "disableAutoMode") or _any(ranked, "permissions", "disableAutoMode")
    findings += unused_mode
    findings += _set_aside(ignored)
    findings += _unknown_tools(rules)
    return Policy(
        rules=rules,
        ignored=ignored,
        mode=mode,
        mode_source=mode_source,
        directories=_directories(ranked, cwd, home, trusted),
        hooks=_hooks(ranked, findings),
        sandbox=_sandbox(ranked),
        auto=_auto(ranked),
        bypass_disabled=_any(ranked, "permissions", "disableBypassPermissionsMode"),
        auto_disabled=auto_disabled,
        block_reads_outside=_any(ranked, "permissions", "blockReadsOutsideWorkingDirectories"),
        block_writes_outside=_any(ranked, "permissions", "blockWritesOutsideWorkingDirectories"),
        deny_instead_of_prompting=_any(ranked, "permissions", "denyInsteadOfPrompting"),
        all_project_mcp_servers=_first(ranked, "enableAllProjectMcpServers", default=False),
        auto_during_plan=not auto_disabled and all(_values(ranked, "useAutoModeDuringPlan")),
        findings=tuple(findings),
    )


def _misplaced(document: Document) -> Iterator[Finding]:
    for path, scopes in COUNTS_IN.items():
        if document.scope not in scopes and _get(document, *path) is not None:
            names = ", ".join(scope for scope in PRECEDENCE if scope in scopes and scope is not Scope.CLI)
            message = f"{'.'.join(path)} counts only in these settings: {names}"
            yield Finding(
                "key-ignored", Severity.WARNING, message, "the client ignores it here", document.source(*path)
            )


def _rules(
    ranked: Sequence[Document], cwd: str, home: str, trusted: bool
) -> tuple[tuple[Rule, ...], tuple[tuple[Rule, str], ...]]:
    managed_only = _any(ranked, "allowManagedPermissionRulesOnly")
    rules: list[Rule] = []
    ignored: list[tuple[Rule, str]] = []
    for document in ranked:
        root = _root(document, cwd, home)
        for behavior in BEHAVIORS:
            unused = _unused(document.scope, behavior, managed_only, trusted)
            for index, entry in enumerate(_get(document, "permissions", behavior) or ()):
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


def _mode(ranked: Sequence[Document]) -> tuple[Mode | None, Source | None, list[Finding]]:
    """The `defaultMode` of the highest scope that has one.

    A repository cannot start a session in auto or bypass: where its word wins and none of the user's own settings says
    the same, the session starts in the default mode, whatever mode a lower scope names (measured).
    """
    stated = [(d, Mode.parse(word)) for d in ranked if (word := _get(d, "permissions", "defaultMode")) is not None]
    if not stated:
        return None, None, []
    document, mode = stated[0]
    source = document.source("permissions", "defaultMode")
    own = {mode for document, mode in stated if document.scope not in REPOSITORY}
    if mode not in (Mode.AUTO, Mode.BYPASS) or mode in own:
        return mode, source, []
    message = f"defaultMode {mode} counts only in user, managed and flag settings"
    finding = Finding("mode-ignored", Severity.WARNING, message, "the client starts in the default mode", source)
    return Mode.DEFAULT, source, [finding]


def _directories(ranked: Sequence[Document], cwd: str, home: str, trusted: bool) -> tuple[Directory, ...]:
    """Every directory each scope adds, relative ones from `cwd` (measured)."""
    found: list[Directory] = []
    for document in ranked:
        if document.scope is Scope.PROJECT and not trusted:
            continue
        for index, text in enumerate(_get(document, "permissions", "additionalDirectories") or ()):
            if text == "~" or text.startswith("~/"):
                text = home + text[1:]
            path = posixpath.normpath(posixpath.join(cwd, text))
            found.append(Directory(path, document.source("permissions", "additionalDirectories", index)))
    return tuple(found)


def _hooks(ranked: Sequence[Document], findings: list[Finding]) -> tuple[Hook, ...]:
    """The hooks that run: all, or those of managed settings only, or none."""
    managed_only = _any(ranked, "allowManagedHooksOnly")
    disabled = _first(ranked, "disableAllHooks", default=False)
    managed_disabled = any(d.scope is Scope.MANAGED and _get(d, "disableAllHooks") for d in ranked)
    found: list[Hook] = []
    for document in ranked:
        configured, odd = hooks.read(document)
        findings += odd
        managed = document.scope is Scope.MANAGED
        if (managed and not managed_disabled) or not (managed or managed_only or disabled):
            found += configured
    return tuple(found)


def _sandbox(ranked: Sequence[Document]) -> Sandbox:
    return Sandbox(
        enabled=_first(ranked, "sandbox", "enabled", default=False),
        auto_allow=_first(ranked, "sandbox", "autoAllowBashIfSandboxed", default=False),
        allow_unsandboxed=_first(ranked, "sandbox", "allowUnsandboxedCommands", default=True),
        excluded_commands=_join(ranked, "sandbox", "excludedCommands"),
        allow_write=_join(ranked, "sandbox", "filesystem", "allowWrite"),
        deny_write=_join(ranked, "sandbox", "filesystem", "denyWrite"),
        deny_read=_join(ranked, "sandbox", "filesystem", "denyRead"),
        allow_read=_join(ranked, "sandbox", "filesystem", "allowRead"),
        allowed_domains=_join(ranked, "sandbox", "network", "allowedDomains"),
        denied_domains=_join(ranked, "sandbox", "network", "deniedDomains"),
        fail_if_unavailable=_first(ranked, "sandbox", "failIfUnavailable", default=False),
    )


def _auto(ranked: Sequence[Document]) -> AutoMode:
    return AutoMode(
        environment=_join(ranked, "autoMode", "environment"),
        allow=_join(ranked, "autoMode", "allow"),
        soft_deny=_join(ranked, "autoMode", "soft_deny"),
        hard_deny=_join(ranked, "autoMode", "hard_deny"),
        classify_all_shell=_any(ranked, "autoMode", "classifyAllShell"),
    )


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


def _get(document: Document, *path: str) -> Any:
    """The value at `path`, or None; the document has passed `schema.check`."""
    value: Any = document.value
    for key in path:
        if not isinstance(value, dict) or key not in value:
            return None
        value = value[key]
    return value


def _values(ranked: Iterable[Document], *path: str) -> Iterator[Any]:
    """The values at `path` in the scopes that have one and whose settings count for it, highest first."""
    scopes = COUNTS_IN.get(path) or COUNTS_IN.get(path[:1]) or PRECEDENCE
    for document in ranked:
        if document.scope in scopes and (value := _get(document, *path)) is not None:
            yield value


def _first(ranked: Iterable[Document], *path: str, default: Any) -> Any:
    """The value of the highest scope that has one."""
    return next(_values(ranked, *path), default)


def _any(ranked: Iterable[Document], *path: str) -> bool:
    """Whether a scope turns the switch at `path` on."""
    return any(_values(ranked, *path))


def _join(ranked: Iterable[Document], *path: str) -> tuple[str, ...]:
    """The lists of all scopes, one after the other, each entry once."""
    return tuple(dict.fromkeys(item for value in _values(ranked, *path) for item in value))
