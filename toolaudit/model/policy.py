from __future__ import annotations

from functools import cached_property

from toolaudit.model.behavior import Behavior, Mode
from toolaudit.model.finding import Finding
from toolaudit.model.rule import Rule, Source
from toolaudit.structs import Struct


class Directory(Struct):
    """A further working directory, absolute.

    The client counts it only while it exists, and one that a project's settings add does not lift
    `block_reads_outside` or `block_writes_outside` (measured).
    """

    path: str
    source: Source


class Hook(Struct):
    """A configured hook. Its command is shown, never run, by anything that only decides."""

    event: str
    matcher: str
    condition: str | None
    """The `if` rule, when there is one."""
    command: str
    """What the hook does, by its type: a command line, a prompt, a URL, a tool."""
    source: Source
    type: str = "command"
    seconds: float | None = None
    """How long it may take; None: the usual time."""
    blocks_on_failure: bool = False
    """A hook that gives no answer blocks the call (documents, 10.3)."""
    unheard: bool = False
    """It runs beside the session, which does not wait for what it says."""
    arguments: tuple[str, ...] = ()
    """Given to a command that is then no shell text."""
    headers: tuple[tuple[str, str], ...] = ()


class Sandbox(Struct):
    """The Bash sandbox as the merged settings configure it (documents, section 11)."""

    enabled: bool = False
    auto_allow: bool = False
    allow_unsandboxed: bool = True
    excluded_commands: tuple[str, ...] = ()
    allow_write: tuple[str, ...] = ()
    deny_write: tuple[str, ...] = ()
    deny_read: tuple[str, ...] = ()
    allow_read: tuple[str, ...] = ()
    """What is readable again inside `deny_read`."""
    allowed_domains: tuple[str, ...] = ()
    denied_domains: tuple[str, ...] = ()
    fail_if_unavailable: bool = False
    """Refuse to start where the sandbox cannot, instead of running commands without it."""


class AutoMode(Struct):
    """The prose lists that shape the auto-mode classifier, and its switch for shell rules."""

    environment: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    soft_deny: tuple[str, ...] = ()
    hard_deny: tuple[str, ...] = ()
    classify_all_shell: bool = False


class Policy(Struct, eq=False, cached=True):
    """All scopes merged: what is in force, what was set aside, and what was wrong.

    Compared by identity, so that what is compiled from a policy can be cached by it.
    """

    rules: tuple[Rule, ...] = ()
    """In force, by scope precedence and then in the order of their lists."""
    ignored: tuple[tuple[Rule, str], ...] = ()
    """Rules the client would not use here, each with the reason: untrusted project, managed rules only, dead form."""
    mode: Mode | None = None
    """`defaultMode` after precedence, or None where no file (that may) sets one."""
    mode_source: Source | None = None
    directories: tuple[Directory, ...] = ()
    hooks: tuple[Hook, ...] = ()
    sandbox: Sandbox = Sandbox()
    auto: AutoMode = AutoMode()
    bypass_disabled: bool = False
    auto_disabled: bool = False
    block_reads_outside: bool = False
    block_writes_outside: bool = False
    deny_instead_of_prompting: bool = False
    auto_during_plan: bool = True
    """Whether the auto-mode classifier may answer for shell commands in plan mode."""
    all_project_mcp_servers: bool = False
    """Whether every server of a repository's `.mcp.json` is approved unseen."""
    findings: tuple[Finding, ...] = ()

    def rules_for(self, behavior: Behavior) -> tuple[Rule, ...]:
        """The rules in force of one behaviour, in their order."""
        return self._by_behavior.get(behavior, ())

    @cached_property
    def _by_behavior(self) -> dict[Behavior, tuple[Rule, ...]]:
        return {behavior: tuple(rule for rule in self.rules if rule.behavior is behavior) for behavior in Behavior}
