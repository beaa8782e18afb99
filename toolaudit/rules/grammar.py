r"""The rule language: one entry of `permissions.allow`, `ask` or `deny` becomes a `Rule`.

    rule       = tool | tool "(" specifier ")"
    tool       = name | glob                   a glob of names, with `*` for any text, only where `dead` allows it
    specifier  = text in which `\(`, `\)` and `\\` stand for `(`, `)` and `\`

Semantics, measured unless a document is named; the three lists read malformed text alike:

* The first `(` opens the specifier, and a last `)` without backslash must end the text. To the client, text that does
  not fit is no error: it is the name of a tool that does not exist, so the rule never matches. Nothing is trimmed: a
  blank before the name, before `(` or after `)` makes a rule dead. The other rules of the file stay in force.
* `Tool(*)` is the bare `Tool`. `Tool()` is not: it matches nothing.
* Names are case-sensitive. `*` in a name matches any text in deny and ask rules. In an allow rule it may only follow
  `mcp__SERVER__` with a literal server: any other allow glob approves nothing. A glob takes no specifier but `(*)`.
* `mcp__SERVER` is every tool of that server. An `mcp__` rule takes no specifier, not even `(*)`, but on the command
  line, where `(*)` means the bare tool and a parameter rule may deny.
* What a specifier means is the tool's own affair: a command, a path, `domain:HOST`, an agent's name. In deny and ask
  rules `field:value` is a parameter rule where the tool has that field and it is not the tool's main one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from toolaudit.model import Behavior, Rule, Scope, Source
from toolaudit.patterns import late

ALIASES = {"Task": "Agent"}
"""Former name -> name of the tool; a rule under either name governs the tool (documents, 1.2)."""

TOOLS = frozenset(
    """
    Agent Artifact AskUserQuestion Bash BashOutput CronCreate CronDelete CronList Edit EndConversation EnterPlanMode
    EnterWorktree ExitPlanMode ExitWorktree Glob Grep KillShell LS LSP ListAgents ListMcpResourcesTool Monitor MultiEdit
    NotebookEdit NotebookRead PowerShell PushNotification Read ReadMcpResourceTool RemoteTrigger ReportFindings
    ScheduleWakeup SendMessage SendUserFile ShareOnboardingGuide Skill SlashCommand TaskCreate TaskGet TaskList
    TaskOutput TaskStop TaskUpdate TodoRead TodoWrite ToolSearch WaitForMcpServers WebFetch WebSearch Workflow Write
    """.split()
)
"""The built-in tools (documents, 12), those of former versions included."""

_PATHLESS = {"Write": "Edit", "NotebookEdit": "Edit", "MultiEdit": "Edit", "Glob": "Read"}
"""Tools whose path rules the client never consults -> the tool whose path rules it does (documents, 4.1)."""

_FILE_TOOLS = frozenset({"Read", "Edit", "Write", "NotebookEdit", "MultiEdit", "Glob"})

MAIN_FIELDS = {
    "Bash": ("command",),
    "PowerShell": ("command",),
    "Read": ("file_path",),
    "Edit": ("file_path",),
    "Write": ("file_path",),
    "NotebookEdit": ("notebook_path",),
    "Glob": ("path",),
    "Grep": ("path",),
    "WebFetch": ("url",),
}
"""Tool -> the fields its own specifier speaks of, which no parameter rule can name (documents, 1.5)."""

_NAME = late(r"[A-Za-z][\w-]*", re.ASCII)
_ALLOW_GLOB = late(r"mcp__(?:(?!__)[^*])+__.*", re.DOTALL)
_DOMAIN = late(r"domain:[^\s/]+")
_ARGUMENT = late(r"(?:\([^)]*+\)?|[^ ,(])++")
_ESCAPE = late(r"\\([()\\])")
_BY_LOWER_CASE = {name.lower(): name for name in TOOLS}


def parse(text: str, behavior: Behavior, source: Source, root: str) -> Rule:
    """The rule that `text` is in the list of `behavior`; text that is no rule becomes one that `dead` explains."""
    tool, specifier = _split(text)
    if specifier == "*" and (source.scope is Scope.CLI or not tool.startswith("mcp__")):
        specifier = None
    return Rule(behavior, text, ALIASES.get(tool, tool), specifier, source, root)


def split(argument: str) -> list[str]:
    """The rules in one argument of the command line: blanks and commas part them but in parentheses (measured).

    There the first `)` closes, so `Bash (ls)` is the bare `Bash` and a rule without a tool.
    """
    return _ARGUMENT.findall(argument)


def dead(rule: Rule) -> str | None:
    """Why `rule` can never match a call, in one clause, or None where it can."""
    if reason := _malformed(rule):
        return reason
    tool, specifier = rule.tool, rule.specifier
    if tool.startswith("mcp__"):
        if specifier is not None and not (rule.source.scope is Scope.CLI and parameter(rule) and "__" in tool[5:]):
            return "a rule for an MCP tool takes no parentheses"
        if tool.endswith("__"):
            return "it names a server and then no tool; the server alone is written without the last two underscores"
    elif "*" in tool and specifier is not None:
        return "a glob of tool names takes no specifier"
    if "*" in tool and rule.behavior is Behavior.ALLOW and not _ALLOW_GLOB.fullmatch(tool):
        return "an allow rule may have a glob only after mcp__SERVER__; any other approves nothing"
    if specifier is None:
        return None
    if tool in _FILE_TOOLS and ":*" in specifier:
        return "a rule for files may not hold :*, which belongs to commands"
    if tool in _PATHLESS and parameter(rule) is None:
        return f"only {_PATHLESS[tool]} rules are consulted for paths; write {_PATHLESS[tool]}({specifier})"
    if tool == "WebFetch" and not _DOMAIN.fullmatch(specifier):
        return "what it fetches from is written WebFetch(domain:HOST), without blanks"
    if tool == "WebSearch" and (parameter(rule) is None or "*" in specifier or "?" in specifier):
        return "WebSearch takes no specifier but a whole query:TEXT in deny and ask; write WebSearch for every search"
    return None


def parameter(rule: Rule) -> tuple[str, str] | None:
    """Field and pattern of a parameter rule: the call's raw input has the field, and its text matches the pattern.

    A deny or ask rule `Tool(field:pattern)` is one beside what it means as the tool's own specifier: a deny rule
    `Bash(timeout:*)` stops the command `timeout 5 x` as well as any call that gives a timeout (measured). `*` in the
    pattern is any text; blanks around field and pattern do not count; an empty pattern matches nothing. The text of a
    number or boolean is that of JSON. None: not a parameter rule, or on the tool's main field, which no rule can name.
    """
    if rule.behavior is Behavior.ALLOW or rule.specifier is None or "*" in rule.tool:
        return None
    field, colon, pattern = rule.specifier.partition(":")
    field, pattern = field.strip(), pattern.strip()
    if not (colon and field and pattern) or field in MAIN_FIELDS.get(rule.tool, ()):
        return None
    return field, pattern


def has_parameter(rule: Rule, input: Mapping[str, object]) -> bool:
    """Whether `rule` is a parameter rule that the raw `input` of a call meets; the tool's name is not looked at."""
    wanted = parameter(rule)
    if wanted is None:
        return False
    match input.get(wanted[0]):
        case str() as text:
            return _glob(wanted[1], text)
        case bool() as value:
            return _glob(wanted[1], "true" if value else "false")
        case float() as value if value.is_integer():
            return _glob(wanted[1], str(int(value)))
        case int() | float() as value:
            return _glob(wanted[1], str(value))
        case _:
            return False


def governs(rule: Rule, tool: str) -> bool:
    """Whether the name in `rule` covers `tool`, the canonical name of a tool; the specifier is not looked at.

    The name of an MCP tool does not tell where its server ends if there is a `__` in either. Deny and ask rules cover
    it in any reading, allow rules only where every reading agrees (measured for servers and for tools with `__`).
    """
    name = rule.tool
    if name == tool:
        return True
    allow = rule.behavior is Behavior.ALLOW
    server = tool.rpartition("__")[0]
    if "*" in name:
        return _glob(name, tool) and (not allow or name.startswith(f"{server}__"))
    if not name.startswith("mcp__"):
        return False
    return name == server and "__" not in name[5:] if allow else tool.startswith(f"{name}__")


def _glob(pattern: str, text: str) -> bool:
    """Whether all of `text` matches `pattern`, in which `*` is any text; no pattern makes it backtrack."""
    if "*" not in pattern:
        return pattern == text
    first, *middle, last = pattern.split("*")
    at, end = len(first), len(text) - len(last)
    if at > end or not text.startswith(first) or not text.endswith(last):
        return False
    for piece in middle:
        if (at := text.find(piece, at, end)) < 0:
            return False
        at += len(piece)
    return True


def _split(text: str) -> tuple[str, str | None]:
    """Tool and specifier; the whole text and None where the parentheses do not fit."""
    opening = text.find("(")
    if opening < 1 or not text.endswith(")"):
        return text, None
    inner = text[opening + 1 : -1]
    if (len(inner) - len(inner.rstrip("\\"))) % 2:
        return text, None
    return text[:opening], _ESCAPE.sub(r"\1", inner) if "\\" in inner else inner


def _malformed(rule: Rule) -> str | None:
    tool = rule.tool
    if rule.specifier is not None and not rule.specifier.strip():
        return f"empty parentheses match nothing; for every call write {tool}"
    if _NAME.fullmatch(tool.replace("*", "x")):
        known = _BY_LOWER_CASE.get(tool.lower())
        return f"tool names are case-sensitive; the tool is {known}" if known and known != tool else None
    text = rule.text
    if not text:
        return "it is empty"
    if text.startswith("("):
        return "no tool is named before the parenthesis"
    if text != text.strip() or tool != tool.strip():
        return "a blank stands before or after the rule or its tool name, and the client does not trim"
    if "(" in tool:
        if tool.endswith(")"):
            return "the closing parenthesis is escaped by a backslash"
        return "text follows the closing parenthesis" if ")" in tool else "the closing parenthesis is missing"
    return "this is not a tool name"
