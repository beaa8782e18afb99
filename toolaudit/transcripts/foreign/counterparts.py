"""Which of the client's tools does what another agent's tool does, and where its parameters go.

Agents name their tools differently and mean the same few things by them, so one table serves all. A tool that is not
in it has no counterpart: it is reported as such, never decided as if it were another. Names that begin with `mcp__` are
the client's own way to name tools of MCP servers and stay what they are.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Counterpart:
    """One call of the client's that does what a foreign call did."""

    tool: str
    input: Mapping[str, Any]
    cwd: str | None = None
    """Where a command ran, when the call itself says so."""


@dataclass(frozen=True, slots=True)
class Row:
    """How calls of some tools are translated: parameter of ours -> parameters of theirs, the first that is there."""

    tool: str
    needed: Mapping[str, tuple[str, ...]]
    optional: Mapping[str, tuple[str, ...]]


def _row(tool: str, needed: Mapping[str, str] | None = None, **optional: str) -> Row:
    return Row(
        tool,
        {ours: tuple(theirs.split()) for ours, theirs in (needed or {}).items()},
        {ours: tuple(theirs.split()) for ours, theirs in optional.items()},
    )


_PATH = "file_path path filePath absolute_path filename file_name file target_file"
_DIRECTORY = "path dir_path directory dir"

_READ = _row("Read", {"file_path": _PATH}, offset="offset start_line", limit="limit")
_WRITE = _row("Write", {"file_path": _PATH}, content="content contents file_text text")
_EDIT = _row(
    "Edit",
    {"file_path": _PATH},
    old_string="old_string oldText old_str oldString search",
    new_string="new_string newText new_str newString replace text",
    replace_all="replace_all replaceAll",
)
_GLOB = _row("Glob", {"pattern": "pattern glob file_name"}, path=_DIRECTORY)
_GREP = _row("Grep", {"pattern": "pattern query regex search_term"}, path=_DIRECTORY, glob="include glob")

_NAMES: Final = (
    ("read read_file view open open_file cat_file", _READ),
    ("write write_file create create_file", _WRITE),
    ("edit replace str_replace edit_file insert", _EDIT),
    ("glob find_file find_files file_search", _GLOB),
    ("grep search_file_content grep_search search_dir search_file search_files search", _GREP),
    ("list list_dir list_directory ls", _row("Glob", {}, path=_DIRECTORY)),
    ("web_fetch webfetch fetch fetch_url open_page", _row("WebFetch", {"url": "url uri"}, prompt="prompt format")),
    ("web_search websearch google_web_search web_search_call", _row("WebSearch", {"query": "query"})),
    ("task agent spawn_agent", _row("Agent", {"prompt": "prompt message task"}, subagent_type="agent subagent_type")),
    ("todowrite todo_write write_todos update_plan", _row("TodoWrite", {}, todos="todos plan")),
    ("ask_user question request_user_input", _row("AskUserQuestion", {}, questions="questions question")),
    ("skill activate_skill", _row("Skill", {"skill": "skill name"})),
    ("read_bash bash_output", _row("TaskOutput", {}, task_id="shellId bash_id session_id")),
    ("stop_bash kill_shell kill_bash", _row("TaskStop", {}, task_id="shellId shell_id session_id")),
)

TABLE: Final[Mapping[str, Row]] = MappingProxyType({name: row for names, row in _NAMES for name in names.split()})
"""Name of a tool, in lower case -> how its calls are translated."""

SHELLS: Final = frozenset(
    """
    bash bash_command container.exec exec exec_command execute execute_bash execute_command local_shell local_shell_call
    run run_command run_shell_command run_terminal run_terminal_cmd sh shell shell_command shell_exec terminal
    """.split()
)
"""Tools that take a command line, or the words of one."""

_COMMANDS = ("command", "cmd", "script")
_PLACES = ("workdir", "cwd", "working_directory", "dir_path", "directory")
_SHELL = re.compile(r"(?:.*/)?(?:ba|z|da|k)?sh")
_PATCH_FILE = re.compile(r"^\*\*\* (Add|Update|Delete) File: (.+)$")
_PATCH_MOVE = re.compile(r"^\*\*\* Move to: (.+)$")


def counterparts(name: str, given: Mapping[str, Any]) -> tuple[Counterpart, ...]:
    """The client's calls that do what a call of the tool `name` with the parameters `given` does; none: nothing does.

    A patch of several files is one call for each of them.
    """
    if name.startswith("mcp__"):
        return (Counterpart(name, given),)
    plain = name.lower()
    if plain in SHELLS:
        return _shell(given)
    if plain in _SPECIAL:
        return tuple(_SPECIAL[plain](given))
    row = TABLE.get(plain)
    if row is None:
        return ()
    found = _translate(row, given)
    return () if found is None else (found,)


def _translate(row: Row, given: Mapping[str, Any]) -> Counterpart | None:
    values: dict[str, Any] = {}
    for ours, theirs in row.needed.items():
        value = next((given[name] for name in theirs if isinstance(given.get(name), str)), None)
        if value is None:
            return None
        values[ours] = value
    for ours, theirs in row.optional.items():
        value = next((given[name] for name in theirs if given.get(name) is not None), None)
        if value is not None:
            values[ours] = value
    if row.tool == "Glob":
        values.setdefault("pattern", "*")
    return Counterpart(row.tool, values)


def _shell(given: Mapping[str, Any]) -> tuple[Counterpart, ...]:
    command = next((given[name] for name in _COMMANDS if name in given), None)
    if isinstance(command, list) and command and all(isinstance(word, str) for word in command):
        if len(command) == 2 and command[0] == "apply_patch":
            return tuple(_patch({"input": command[1]}))
        inline = len(command) == 3 and _SHELL.fullmatch(command[0]) and re.fullmatch(r"-[a-z]*c", command[1])
        command = command[2] if inline else shlex.join(command)
    if not isinstance(command, str):
        return ()
    place = next((given[name] for name in _PLACES if isinstance(given.get(name), str) and given[name]), None)
    return (Counterpart("Bash", {"command": command}, place),)


def _editor(given: Mapping[str, Any]) -> Iterator[Counterpart]:
    """The editor that several agents share: its `command` says which of four things it does."""
    row = {"view": _READ, "create": _WRITE, "str_replace": _EDIT, "insert": _EDIT}.get(str(given.get("command")))
    found = _translate(row, given) if row is not None else None
    if found is not None:
        yield found


def _patch(given: Mapping[str, Any]) -> Iterator[Counterpart]:
    """A patch in the form agents write: what it does to each file."""
    text = next((given[name] for name in ("input", "patch", "patchText") if isinstance(given.get(name), str)), "")
    kind = path = ""
    removed: list[str] = []
    added: list[str] = []
    for line in [*text.split("\n"), "*** End Patch"]:
        if line.startswith(("*** End of File", "@@")):
            continue
        move = _PATCH_MOVE.match(line)
        if move:
            yield Counterpart("Write", {"file_path": move[1].strip(), "content": ""})
        elif line.startswith("*** "):
            yield from _patched(kind, path, removed, added)
            found = _PATCH_FILE.match(line)
            kind, path = (found[1], found[2].strip()) if found else ("", "")
            removed, added = [], []
        elif kind:
            if not line.startswith("+"):
                removed.append(line[1:])
            if not line.startswith("-"):
                added.append(line[1:])


def _patched(kind: str, path: str, removed: list[str], added: list[str]) -> Iterator[Counterpart]:
    if kind == "Add":
        yield Counterpart("Write", {"file_path": path, "content": "\n".join(added)})
    elif kind == "Update":
        texts = {"old_string": "\n".join(removed), "new_string": "\n".join(added)}
        yield Counterpart("Edit", {"file_path": path, **texts})
    elif kind == "Delete":
        # The client has no tool that only removes; it would use the shell.
        yield Counterpart("Bash", {"command": f"rm -- {shlex.quote(path)}"})


_SPECIAL: Final[Mapping[str, Callable[[Mapping[str, Any]], Iterator[Counterpart]]]] = MappingProxyType(
    {
        "str_replace_editor": _editor,
        "str_replace_based_edit_tool": _editor,
        "text_editor": _editor,
        "file_editor": _editor,
        "apply_patch": _patch,
    }
)
