"""Which inputs a tool refuses before any permission check, and which calls fail though they were allowed.

The client checks in this order: the input by itself (`malformed`), deny rules for the path as given, the input
against files and session (`misfit`), hooks and permissions; what it allows may still fail (`failure`). Everything
here is measured; what is not known of a workspace never makes a call invalid.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from toolaudit.model import Mode, ToolCall
from toolaudit.model.versions import NEWEST, Difference, Version
from toolaudit.model.workspace import Workspace
from toolaudit.patterns import late
from toolaudit.rules import urls
from toolaudit.tools.pool import PATHS
from toolaudit.tools.schema import fault
from toolaudit.tools.session import FileKnowledge
from toolaudit.tools.skills import agents, find_skill
from toolaudit.tools.sleeps import LIMIT_SECONDS, long_sleep

PATH_LIMIT: Final = 4096
"""The most characters a file tool's path may have."""

PAGES_LIMIT: Final = 20
"""The most pages of a document that one call may read."""

READ_LIMIT: Final = 256 * 1024
"""A file with more characters than this is read in parts only."""

AGENTS: Final = frozenset({"claude", "explore", "general-purpose", "plan", "statusline-setup"})
"""Types of agent that come with the client; case does not matter."""

_BINARY = """
7z a aac ai apk avi avif bin bmp bz2 class dat db deb dll dmg doc docx dylib eot eps exe flac flv gz heic ico iso
jar lib lz4 m4a mkv mov mp3 mp4 msi node npy o obj odt ogg otf parquet pickle ppt pptx psd pyc rar rlib rpm so sqlite
tar tgz tif tiff ttf wasm wav webm woff woff2 xls xlsx xz zip zst
"""

BINARY: Final = frozenset(_BINARY.split())
"""Extensions of files that Read does not read."""

_UNREADABLE: Final = late(
    r"/dev/(?:console|fd/[0-2]|full|ptmx|random|stderr|stdin|stdout|tty|urandom|zero)"
    r"|/proc/(?:kcore|kmsg|(?:self|thread-self|\d+)/(?:cmdline|environ|maps|mem|fd/[0-2]))"
)
_CONTROL: Final = late(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_PAGES: Final = late(r"(\d+)(?:-(\d+))?")
_QUOTES: Final = str.maketrans("\u2018\u2019\u201c\u201d", "''\"\"")
_PROBED: Final = 8192
"""How many characters at the beginning of a file decide whether it is binary."""


def malformed(call: ToolCall) -> str | None:
    """What is wrong with the raw input taken by itself, or None."""
    found = fault(call.tool, call.input)
    if found is not None:
        return found
    if call.tool == "Bash" and _CONTROL.search(call.input["command"]):
        return "the command holds a control character"
    parameter = PATHS.get(call.tool, "")
    if parameter in call.input:
        path = str(call.input[parameter])
        if "\0" in path:
            return f"{parameter} holds a null character"
        if len(path.strip()) > PATH_LIMIT:
            return f"{parameter} has more than {PATH_LIMIT} characters"
    if call.tool == "Edit" and call.input["old_string"] == call.input["new_string"]:
        return "old_string and new_string are the same"
    if call.tool == "NotebookEdit" and not call.input["notebook_path"].strip().endswith(".ipynb"):
        return "the file is no notebook"
    return _pages(call.input) if call.tool == "Read" else None


def _pages(given: Mapping[str, Any]) -> str | None:
    if "pages" not in given:
        return None
    found = _PAGES.fullmatch(given["pages"].strip())
    if found is None:
        return "pages must be one page or one range"
    first, last = int(found[1]), int(found[2] or found[1])
    return None if last - first < PAGES_LIMIT else f"pages must be at most {PAGES_LIMIT} pages"


def misfit(
    call: ToolCall,
    path: str,
    workspace: Workspace,
    session: FileKnowledge,
    mode: Mode,
    readable: bool,
    version: Version = NEWEST,
) -> str | None:
    """What is wrong with a well-formed input in this session, or None.

    `path` is the absolute path of a file tool; `readable` says that Read would need no approval for it.
    """
    match call.tool:
        case "Bash":
            return _sleep(call.input, version)
        case "Read":
            return _read(path)
        case "Edit":
            return _edit(call.input, path, session, readable)
        case "Write":
            return _write(path, session, readable)
        case "NotebookEdit":
            return _cell(call.input, path, session) if session.has_read(path) else UNREAD
        case "ExitPlanMode":
            return None if mode is Mode.PLAN else "the session is not in plan mode"
        case "Skill":
            return _skill(call.input["skill"].removeprefix("/"), workspace)
        case "Agent":
            return misfit_agent(call.input.get("subagent_type"), workspace)
        case "TaskStop" | "CronDelete":
            return "there is nothing of this id"
        case "TaskOutput" if version < NEWEST:
            return "there is nothing of this id"
        case "ExitWorktree":
            return "the session has entered no worktree"
        case _:
            return None


UNREAD: Final = "the file has not been read in this session"


def _sleep(given: Mapping[str, Any], version: Version) -> str | None:
    if given.get("run_in_background") in (True, "true") or not version.has(Difference.LONG_SLEEPS_ARE_BLOCKED):
        return None
    return None if long_sleep(given["command"]) is None else f"sleep for {LIMIT_SECONDS} seconds or more is refused"


def _read(path: str) -> str | None:
    if _UNREADABLE.fullmatch(path):
        return "Read does not read devices and process files"
    if path.rpartition(".")[2].lower() in BINARY and "." in path.rpartition("/")[2]:
        return "Read does not read binary files"
    return None


def _edit(given: Mapping[str, Any], path: str, session: FileKnowledge, readable: bool) -> str | None:
    old = given["old_string"]
    if (place := _misplaced(path, session)) is not None:
        return place
    if session.is_file(path) is False:
        return None if old == "" else "the file does not exist"
    if path.endswith(".ipynb"):
        return "notebooks are edited with NotebookEdit"
    text = session.text(path)
    if old == "":
        return None if not text else "the file to create exists already"
    if session.is_file(path) and not (readable or session.has_read(path)):
        return UNREAD
    if text is None:
        return None
    if "\0" in text[:_PROBED]:
        return "the file is binary"
    text, old = text.replace("\r\n", "\n"), old.replace("\r\n", "\n")
    count = text.count(old) or text.translate(_QUOTES).count(old.translate(_QUOTES))
    if count == 0:
        return "old_string does not occur in the file"
    if count > 1 and given.get("replace_all") not in (True, "true"):
        return f"old_string occurs {count} times in the file"
    return None


def _cell(given: Mapping[str, Any], path: str, session: FileKnowledge) -> str | None:
    """What is wrong with the cell of an edit, as far as the notebook is known."""
    wanted, text = given.get("cell_id"), session.text(path)
    if wanted is None or text is None:
        return None
    try:
        found = find_cell(json.loads(text)["cells"], wanted)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None  # no notebook: told where it is edited
    return "the notebook has no such cell" if found is None else None


def find_cell(cells: Sequence[Mapping[str, Any]], cell_id: str) -> int | None:
    """The index of the cell with this id; `cell-3` also names the cell with this index (measured)."""
    for index, cell in enumerate(cells):
        if cell.get("id") == cell_id:
            return index
    number = cell_id.removeprefix("cell-")
    if cell_id != number and number.isascii() and number.isdigit() and int(number) < len(cells):
        return int(number)
    return None


def _write(path: str, session: FileKnowledge, readable: bool) -> str | None:
    if (place := _misplaced(path, session)) is not None:
        return place
    if session.is_file(path) is False:
        return "the path is no regular file" if session.exists(path) else None
    if session.is_file(path) and not (readable or session.has_read(path)):
        return UNREAD
    text = session.text(path)
    return "the file is binary" if text is not None and "\0" in text[:_PROBED] else None


def _misplaced(path: str, session: FileKnowledge) -> str | None:
    """Why no file can be written at `path`."""
    if session.loops(path):
        return "the links on the path lead in a circle"
    if session.is_dir(path):
        return "the path is a directory"
    parts = path.split("/")
    below_file = any(session.is_file("/".join(parts[:end])) for end in range(2, len(parts)))
    return "a part of the path is a file" if below_file else None


def _skill(name: str, workspace: Workspace) -> str | None:
    if not name:
        return "skill names no skill"
    skill = find_skill(name, workspace)
    if skill is None:
        return None if workspace.is_dir(workspace.cwd) is None else "there is no skill of this name"
    return None if skill.callable else "the model may not call this skill"


def misfit_agent(kind: object, workspace: Workspace) -> str | None:
    """Why no agent of this type can be started, or None."""
    if not isinstance(kind, str) or kind.lower() in AGENTS:
        return None
    defined = [agents(f"{root}/.claude/agents", workspace) for root in (workspace.cwd, workspace.home)]
    if any(names is None or kind.lower() in names for names in defined):
        return None
    return "there is no agent of this type"


def failure(call: ToolCall, path: str, session: FileKnowledge) -> str | None:
    """Why a call that is allowed does not get done, or None."""
    if call.tool == "Read":
        if session.is_dir(path):
            return "the path is a directory"
        if session.exists(path) is False:
            return "the file does not exist"
        text = session.text(path)
        return "the file is too long to be read whole" if text and len(text) > READ_LIMIT and _whole(call) else None
    if call.tool == "EnterWorktree" and "path" in call.input and session.exists(path) is False:
        return "there is no worktree at this path"
    if call.tool == "WebFetch":
        url = urls.parse(call.input["url"])
        if url is None or not url.host or url.scheme not in urls.SPECIAL or url.user_info:
            return "the URL can't be fetched"
        if "." not in url.host:
            return "WebFetch fetches only from hosts with a dot in their names"
    return None


def _whole(call: ToolCall) -> bool:
    """Whether a read asks for all of a file that may be too long for it: an offset or a limit of 0 changes nothing."""
    return float(call.input.get("limit") or 0) == 0 and call.input.get("allow_large") not in (True, "true")
