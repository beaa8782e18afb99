"""Calls that stand for a rule: the shortest it covers, then ones in which more speaks against the call than the rule.

A call that a rule covers may be decided alike without the rule: reading commands need no permission, other rules are
there. So there is a row of candidates, plain ones first, and whoever needs a call that the rule makes a difference for
takes the first that does.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from toolaudit.analysis.automaton import UndecidedError
from toolaudit.analysis.containment import Witness, witness
from toolaudit.analysis.languages import Directories, pattern_of
from toolaudit.model import Rule, ToolCall
from toolaudit.rules.commands import CommandPattern
from toolaudit.tools.schema import SCHEMAS, STRING
from toolaudit.tools.validation import malformed

FILLINGS: Final = ("x", "", "x y", "-x", "--x", "--x=y", "./x", "/x", "'x y'", '"$x"', "$x", "*", "x=y")
"""What may stand for a star of a command rule."""

SAMPLES: Final[dict[str, dict[str, Any]]] = {
    "Bash": {"command": "x"},
    "CronCreate": {"cron": "0 0 * * *"},
    "Edit": {"old_string": "a", "new_string": "b"},
    "ExitWorktree": {"action": "keep"},
    "Monitor": {"command": "x"},
    "NotebookEdit": {"notebook_path": "x.ipynb"},
    "PowerShell": {"command": "x"},
    "ScheduleWakeup": {"stop": True},
    "TaskStop": {"task_id": "x"},
    "WebFetch": {"url": "https://example.com/"},
    "WebSearch": {"query": "xy"},
    "Workflow": {"name": "x"},
}
"""Tool -> parameters that a plain `x` does not do for."""

_SHELLS: Final = ("Bash", "PowerShell")


def candidates(rule: Rule, directories: Directories) -> Iterator[ToolCall]:
    """Well-formed calls that `rule` covers or may cover, each once, the plainest first."""
    seen: set[str] = set()
    for call in _calls(rule, directories):
        key = f"{call.tool}{sorted(call.input.items())}"
        if key not in seen and malformed(call) is None:
            seen.add(key)
            yield call


def complete(call: ToolCall) -> ToolCall:
    """`call` with what its tool requires and it lacks."""
    schema = SCHEMAS.get(call.tool)
    needed = {name: "x" if kind == STRING else [] for name, kind in schema.required.items()} if schema else {}
    return ToolCall(call.tool, {**needed, **SAMPLES.get(call.tool, {}), **call.input})


def between(inside: Rule, outside: tuple[Rule, ...], directories: Directories) -> Iterator[ToolCall]:
    """A call that `inside` covers and no rule of `outside` does, where there is one and it can be told."""
    try:
        found = witness((inside,), outside, directories)
    except UndecidedError:
        return
    if found is not None:
        yield from _of(found, inside)


def _calls(rule: Rule, directories: Directories) -> Iterator[ToolCall]:
    pattern = pattern_of(rule)
    if pattern is not None and rule.tool in _SHELLS:
        yield from (ToolCall(rule.tool, {"command": text}) for text in _filled(pattern) if text)
    if rule.specifier is not None and rule.tool in ("Read", "Edit"):
        for path in _paths(rule, directories):
            yield from _accesses(rule.tool, path)
    yield from between(rule, (), directories)
    if rule.specifier is None and "*" not in rule.tool and not rule.tool.startswith("mcp__"):
        yield complete(ToolCall(rule.tool, {}))


def _filled(pattern: CommandPattern) -> Iterator[str]:
    texts = [filling.join(pattern.parts).strip() for filling in (FILLINGS[:1] if pattern.exact else FILLINGS)]
    yield from texts
    # Reading commands that need no rule need one behind a wrapper.
    yield f"nice {texts[0]}"


def _of(found: Witness, rule: Rule) -> Iterator[ToolCall]:
    """The calls that one text stands for: a path may be read or written by several tools."""
    call = found.call
    if found.space.tool in ("Read", "Edit") and found.space.parameter in ("file_path", "path"):
        yield from _accesses(rule.tool, found.text)
    else:
        yield complete(call)


def _paths(rule: Rule, directories: Directories) -> Iterator[str]:
    """Paths that a path rule covers if its stars mean what they look like: a file in the folder, one further down."""
    specifier = rule.specifier or ""
    for filling in ("x", "x/x"):
        text = specifier.replace("**/", f"{filling}/").replace("**", filling).replace("*", "x").replace("?", "x")
        if text.startswith("//"):
            yield text[1:]
        elif text.startswith("~/"):
            yield directories.home + text[1:]
        elif text.startswith("/"):
            yield f"{rule.root.rstrip('/')}{text}"
        else:
            yield f"{directories.cwd}/{text.removeprefix('./')}"


def _accesses(tool: str, path: str) -> Iterator[ToolCall]:
    """Calls that read `path`, or write it, where the rule is for Edit."""
    if tool == "Read":
        yield ToolCall("Read", {"file_path": path})
        yield ToolCall("Bash", {"command": f"cat {path}"})
    else:
        yield complete(ToolCall("Edit", {"file_path": path}))
        yield complete(ToolCall("Write", {"file_path": path}))
        yield ToolCall("Bash", {"command": f"touch {path}"})
