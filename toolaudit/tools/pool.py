"""The pool of built-in tools: what a session offers the model, and what each tool needs before it runs.

Source: measured in a session without a terminal; where a tool needs something of the session to be there (an MCP server
with resources, a language server, PowerShell), it was absent.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from toolaudit.model import Behavior, Policy, Rule
from toolaudit.model.versions import BEYOND, FIRST, NEWEST, Version
from toolaudit.rules.names import tool_rules
from toolaudit.structs import Struct


class Need(StrEnum):
    """What stands between a call of a tool and its running."""

    NOTHING = "nothing"
    """It runs in every mode."""
    CLASSIFIER = "classifier"
    """It runs, but modes with a classifier ask that first."""
    APPROVAL = "approval"
    """It waits for approval unless a rule or the mode gives it."""
    PERSON = "person"
    """It waits for a person in every mode, whatever the rules allow."""
    OWN_CHECK = "own check"
    """The tool looks at the input: a path, a command, a host, a skill."""


class BuiltIn(Struct):
    """One built-in tool."""

    name: str
    need: Need
    read_only: bool = False
    present: bool = True
    """It is in the pool of a session without a terminal."""
    aliases: tuple[str, ...] = ()
    """Other names a call may use."""
    since: Version = FIRST
    until: Version = BEYOND
    """The versions in whose pool it was measured to be: since which (included), until which (excluded)."""

    def offered(self, version: Version) -> bool:
        """Whether a session without a terminal of this version offers it."""
        return self.present and self.since <= version < self.until


_TABLE: Final = (
    BuiltIn("Agent", Need.CLASSIFIER, aliases=("Task",)),
    BuiltIn("Artifact", Need.APPROVAL, present=False),
    BuiltIn("AskUserQuestion", Need.PERSON, read_only=True),
    BuiltIn("Bash", Need.OWN_CHECK),
    BuiltIn("CronCreate", Need.CLASSIFIER),
    BuiltIn("CronDelete", Need.NOTHING),
    BuiltIn("CronList", Need.NOTHING, read_only=True),
    BuiltIn("Edit", Need.OWN_CHECK),
    BuiltIn("EndConversation", Need.NOTHING, present=False),
    BuiltIn("EnterPlanMode", Need.NOTHING, read_only=True),
    BuiltIn("EnterWorktree", Need.OWN_CHECK),
    BuiltIn("ExitPlanMode", Need.PERSON, read_only=True),
    BuiltIn("ExitWorktree", Need.NOTHING),
    BuiltIn("Glob", Need.OWN_CHECK, read_only=True, present=False),
    BuiltIn("Grep", Need.OWN_CHECK, read_only=True, present=False),
    BuiltIn("LSP", Need.NOTHING, read_only=True, present=False),
    BuiltIn("ListAgents", Need.NOTHING, read_only=True, since=NEWEST),
    BuiltIn("ListMcpResourcesTool", Need.NOTHING, read_only=True, present=False),
    BuiltIn("Monitor", Need.OWN_CHECK, since=NEWEST),
    BuiltIn("NotebookEdit", Need.OWN_CHECK),
    BuiltIn("PowerShell", Need.OWN_CHECK, present=False),
    BuiltIn("PushNotification", Need.NOTHING, present=False),
    BuiltIn("Read", Need.OWN_CHECK, read_only=True),
    BuiltIn("ReadMcpResourceTool", Need.NOTHING, read_only=True, present=False),
    BuiltIn("RemoteTrigger", Need.NOTHING, present=False),
    BuiltIn("ReportFindings", Need.NOTHING, read_only=True),
    BuiltIn("ScheduleWakeup", Need.CLASSIFIER),
    BuiltIn("SendMessage", Need.CLASSIFIER),
    BuiltIn("SendUserFile", Need.NOTHING, present=False),
    BuiltIn("ShareOnboardingGuide", Need.APPROVAL, present=False),
    BuiltIn("Skill", Need.OWN_CHECK),
    BuiltIn("TaskCreate", Need.NOTHING, present=False),
    BuiltIn("TaskGet", Need.NOTHING, read_only=True, present=False),
    BuiltIn("TaskList", Need.NOTHING, read_only=True, present=False),
    BuiltIn("TaskOutput", Need.NOTHING, read_only=True, aliases=("BashOutput", "AgentOutputTool"), until=NEWEST),
    BuiltIn("TaskStop", Need.NOTHING, aliases=("KillShell", "KillBash")),
    BuiltIn("TaskUpdate", Need.NOTHING, present=False),
    BuiltIn("TodoWrite", Need.NOTHING, present=False),
    BuiltIn("ToolSearch", Need.NOTHING, read_only=True, since=NEWEST),
    BuiltIn("WaitForMcpServers", Need.NOTHING, read_only=True, present=False),
    BuiltIn("WebFetch", Need.OWN_CHECK, read_only=True),
    BuiltIn("WebSearch", Need.APPROVAL, read_only=True),
    BuiltIn("Workflow", Need.OWN_CHECK),
    BuiltIn("Write", Need.OWN_CHECK),
)

BUILT_IN: Final[Mapping[str, BuiltIn]] = MappingProxyType({tool.name: tool for tool in _TABLE})
"""Canonical name -> tool."""

ALIASES: Final[Mapping[str, str]] = MappingProxyType({alias: tool.name for tool in _TABLE for alias in tool.aliases})
"""Other name -> canonical name."""

PATHS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "Edit": "file_path",
        "Glob": "path",
        "Grep": "path",
        "NotebookEdit": "notebook_path",
        "Read": "file_path",
        "Write": "file_path",
    }
)
"""File tool -> the parameter that names its file or directory."""

BORROWED: Final[Mapping[str, str]] = MappingProxyType({"Monitor": "Bash"})
"""Tool -> the tool whose rules govern what it runs; where that one is gone, so is this one."""


def canonical(name: str) -> str:
    """The name under which rules know the tool that a call names."""
    return ALIASES.get(name, name)


class Pool(Struct):
    """What a session offers before rules take tools out."""

    built_in: frozenset[str]
    """Canonical names."""
    servers: Mapping[str, tuple[str, ...]] | None = None
    """Connected MCP server -> its tools; None: not known, and then every MCP tool counts as offered."""


def headless(version: Version = NEWEST) -> Pool:
    """A session without a terminal, as it was measured."""
    return Pool(frozenset(tool.name for tool in _TABLE if tool.offered(version)))


HEADLESS: Final = headless()
"""The newest measured."""

ANY: Final = Pool(frozenset(BUILT_IN))
"""Whatever session: every tool the client may offer."""


def removed(tool: str, policy: Policy, pool: Pool = ANY) -> Rule | str | None:
    """What keeps the tool with this canonical name from the model: a deny rule, or a reason in words; None: nothing."""
    for name in (tool, BORROWED.get(tool)):
        if name is not None and (rule := tool_rules(policy, Behavior.DENY, name).bare) is not None:
            return rule
    if tool.startswith("mcp__"):
        return None if _served(tool, pool.servers) else "no connected server offers it"
    if tool not in BUILT_IN:
        return "there is no tool of this name; names are case-sensitive"
    if policy.deny_instead_of_prompting and BUILT_IN[tool].need is Need.PERSON:
        return "the settings rule out prompts, and it does nothing but prompt"
    return None if tool in pool.built_in else "this kind of session does not offer it"


def _served(tool: str, servers: Mapping[str, tuple[str, ...]] | None) -> bool:
    if servers is None:
        return True
    return any(tool == f"mcp__{server}__{name}" for server, names in servers.items() for name in names)
