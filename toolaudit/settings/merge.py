from __future__ import annotations

import posixpath
from collections.abc import Sequence

from toolaudit.model import AutoMode, Directory, Finding, Hook, Mode, Policy, Sandbox, Scope, Severity, Source
from toolaudit.settings import hooks, rules
from toolaudit.settings.check import check
from toolaudit.settings.document import Document
from toolaudit.settings.scopes import PRECEDENCE, REPOSITORY, any_of, first, get, join, misplaced, values


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
        findings += misplaced(document)
    in_force, ignored = rules.collect(ranked, cwd, home, trusted)
    mode, mode_source, unused_mode = _mode(ranked)
    auto_disabled = any_of(ranked, "disableAutoMode") or any_of(ranked, "permissions", "disableAutoMode")
    findings += unused_mode
    findings += rules.report(in_force, ignored)
    return Policy(
        rules=in_force,
        ignored=ignored,
        mode=mode,
        mode_source=mode_source,
        directories=_directories(ranked, cwd, home, trusted),
        hooks=_hooks(ranked, findings),
        sandbox=_sandbox(ranked),
        auto=_auto(ranked),
        bypass_disabled=any_of(ranked, "permissions", "disableBypassPermissionsMode"),
        auto_disabled=auto_disabled,
        block_reads_outside=any_of(ranked, "permissions", "blockReadsOutsideWorkingDirectories"),
        block_writes_outside=any_of(ranked, "permissions", "blockWritesOutsideWorkingDirectories"),
        deny_instead_of_prompting=any_of(ranked, "permissions", "denyInsteadOfPrompting"),
        all_project_mcp_servers=first(ranked, "enableAllProjectMcpServers", default=False),
        auto_during_plan=not auto_disabled and all(values(ranked, "useAutoModeDuringPlan")),
        findings=tuple(findings),
    )


def _mode(ranked: Sequence[Document]) -> tuple[Mode | None, Source | None, list[Finding]]:
    """The `defaultMode` of the highest scope that has one.

    A repository cannot start a session in auto or bypass: where its word wins and none of the user's own settings says
    the same, the session starts in the default mode, whatever mode a lower scope names (measured).
    """
    stated = [(d, Mode.parse(word)) for d in ranked if (word := get(d, "permissions", "defaultMode")) is not None]
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
    """Every directory each scope adds, relative ones from `cwd`.

    Not those of an untrusted project, and none that begins with two slashes (measured).
    """
    found: list[Directory] = []
    for document in ranked:
        if document.scope is Scope.PROJECT and not trusted:
            continue
        for index, text in enumerate(get(document, "permissions", "additionalDirectories") or ()):
            text = text.strip()
            if text.startswith("//"):
                continue
            if text == "~" or text.startswith("~/"):
                text = home + text[1:]
            path = "/" + posixpath.normpath(posixpath.join(cwd, text)).lstrip("/")
            found.append(Directory(path, document.source("permissions", "additionalDirectories", index)))
    return tuple(found)


def _hooks(ranked: Sequence[Document], findings: list[Finding]) -> tuple[Hook, ...]:
    """The hooks that run: all, or those of managed settings only, or none."""
    managed_only = any_of(ranked, "allowManagedHooksOnly")
    disabled = first(ranked, "disableAllHooks", default=False)
    managed_disabled = any(d.scope is Scope.MANAGED and get(d, "disableAllHooks") for d in ranked)
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
        enabled=first(ranked, "sandbox", "enabled", default=False),
        auto_allow=first(ranked, "sandbox", "autoAllowBashIfSandboxed", default=False),
        allow_unsandboxed=first(ranked, "sandbox", "allowUnsandboxedCommands", default=True),
        excluded_commands=join(ranked, "sandbox", "excludedCommands"),
        allow_write=join(ranked, "sandbox", "filesystem", "allowWrite"),
        deny_write=join(ranked, "sandbox", "filesystem", "denyWrite"),
        deny_read=join(ranked, "sandbox", "filesystem", "denyRead"),
        allow_read=join(ranked, "sandbox", "filesystem", "allowRead"),
        allowed_domains=join(ranked, "sandbox", "network", "allowedDomains"),
        denied_domains=join(ranked, "sandbox", "network", "deniedDomains"),
        fail_if_unavailable=first(ranked, "sandbox", "failIfUnavailable", default=False),
    )


def _auto(ranked: Sequence[Document]) -> AutoMode:
    return AutoMode(
        environment=join(ranked, "autoMode", "environment"),
        allow=join(ranked, "autoMode", "allow"),
        soft_deny=join(ranked, "autoMode", "soft_deny"),
        hard_deny=join(ranked, "autoMode", "hard_deny"),
        classify_all_shell=any_of(ranked, "autoMode", "classifyAllShell"),
    )
