"""Calls and their results, out of a stream of Claude Code records.

Calls stand in three places: assistant lines, the files and inlined lines of sub-agents, and (2.1.11 to 2.1.63)
`agent_progress` lines of the parent. A call and its result are paired by the tool_use id alone: results come between
the blocks of one message, in the order of completion, sometimes never.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec

from toolaudit.model import Mode, ToolCall
from toolaudit.transcripts.line_types import KNOWN
from toolaudit.transcripts.outcomes import EXECUTED, NO_RESULT, Finding, Signs, classify
from toolaudit.transcripts.problem import Problem, Trouble
from toolaudit.transcripts.recorded import RecordedCall
from toolaudit.transcripts.wire import (
    Attachment,
    Block,
    Envelope,
    Line,
    Message,
    PermissionDecision,
    Progress,
    ResultMeta,
)

_MOST_OPEN = 512
"""Calls that may wait for their results; sessions have some ten open at a time."""
_MOST_OPEN_TEXT = 64 << 20
"""Characters that their inputs may hold together."""

_MOST_SAID = 20
_LONGEST_SAID = 20_000
"""Messages of the user between two calls, and characters of each, that are kept."""

_DEEPEST = 100

_SHELLS = frozenset({"Bash", "PowerShell"})
_PLAN_TOOLS = {"EnterPlanMode": Mode.PLAN, "ExitPlanMode": None, "exit_plan_mode": None}
"""The tools that change the mode when they succeed, and what is known of it from then on."""


@dataclass(slots=True)
class _Open:
    """A call that waits for its result."""

    call: ToolCall
    session: str | None
    cwd: str | None
    root: str | None
    version: str | None
    mode: Mode | None
    timestamp: str | None
    sidechain: bool
    line: int
    size: int
    hook_ran: bool = False
    hook_blocked: bool = False
    denial_reason: str | None = None
    said: tuple[str, ...] = ()

    def close(self, file: str, finding: Finding) -> RecordedCall:
        outcome, evidence, prompted = finding
        return RecordedCall(
            self.call,
            self.session,
            self.cwd,
            self.root,
            self.version,
            self.mode,
            self.timestamp,
            self.sidechain,
            file,
            self.line,
            outcome,
            evidence,
            prompted,
            said=self.said,
        )


@dataclass(slots=True)
class _Session:
    """What carries forward from line to line."""

    mode: Mode | None = None
    root: str | None = None
    cwd: str | None = None
    version: str | None = None
    said: list[str] = field(default_factory=list)
    """What the user wrote since the last call."""


def read_calls(records: Iterable[tuple[int, Line] | Problem], file: str) -> Iterator[RecordedCall | Problem]:
    """The calls in a stream of records, however those were stored."""
    pairing = _Pairing(file)
    found = pairing.found
    for item in records:
        if isinstance(item, Problem):
            yield item
            continue
        number, line = item
        pairing.line(number, line)
        if found:
            yield from found
            found.clear()
    for waiting in pairing.open.values():
        yield waiting.close(file, NO_RESULT)


class _Pairing:
    """The calls of one file that wait for their results, and what each of its sessions is known to be doing."""

    __slots__ = ("_file", "_open_size", "_sessions", "found", "open")

    def __init__(self, file: str) -> None:
        self._file = file
        self._open_size = 0
        self._sessions: dict[str | None, _Session] = {}
        self.open: dict[str, _Open] = {}
        self.found: list[RecordedCall | Problem] = []
        """What the last line brought to light; the caller empties it."""

    def line(self, number: int, line: Line) -> None:
        kind = line.type
        if kind == "assistant" or kind == "user":
            if line.permission_mode is not None and not line.sidechain:
                self._set_mode(line, number)
            message = line.message
            if type(message) is Message:
                self._message(line, message, number, line.sidechain is True or line.parent_tool_use is not None)
        elif kind == "progress":
            if type(line.data) is Progress:
                self._progress(line, line.data, number)
        elif kind == "system":
            self._system(line, number)
        elif kind == "attachment":
            self._attachment(line)
        elif kind == "permission-mode":
            self._set_mode(line, number)
        elif type(kind) is not str or kind not in KNOWN:
            self._problem(Trouble.UNKNOWN_TYPE, "no type" if kind is None else str(kind)[:60], number)

    def _message(self, line: Line, message: Message, number: int, sidechain: bool) -> None:
        content = message.content
        if line.type == "user" and not sidechain and line.meta is not True:
            self._said(line, content)
        if type(content) is list:
            for block in content:
                if type(block) is Block:
                    if block.type == "tool_use":
                        self._use(line, block, number, sidechain)
                    elif block.type == "tool_result":
                        self._result(line, block, number)
        elif content is None and message.first_character is not None:
            self._problem(Trouble.BAD_SHAPE, "the message is a map of single characters", number)

    def _said(self, line: Line, content: object) -> None:
        """Keeps what the user wrote, for the session's next call."""
        texts: list[str] = []
        if type(content) is str:
            texts.append(content)
        elif type(content) is list:
            raws = (bytes(block.text) for block in content if type(block) is Block and block.type == "text")
            texts += [msgspec.json.decode(raw, type=str) for raw in raws if raw.startswith(b'"')]
        if texts:
            said = self._session(_text(line.session) or _text(line.session_twin)).said
            said += [text[:_LONGEST_SAID] for text in texts]
            del said[:-_MOST_SAID]

    def _use(self, line: Line, block: Block, number: int, sidechain: bool) -> None:
        given = block.input
        if type(given) is not dict:
            self._problem(Trouble.BAD_INPUT, f"{_text(block.name)}: {type(given).__name__}", number)
            given = {}
        size = 0
        for value in given.values():
            if type(value) is str:
                size += len(value)
            elif (type(value) is dict or type(value) is list) and not _is_shallow(value):
                self._problem(Trouble.TOO_DEEP, f"the input of {_text(block.name)}", number)
                given = {}
                break
        name = _text(line.session) or _text(line.session_twin)
        session = self._session(name)
        cwd = _text(line.cwd) or session.cwd
        if session.root is None:
            session.root = cwd
        key = _text(block.id)
        waiting = _Open(
            ToolCall(_text(block.name) or "", given, key),
            name,
            cwd,
            session.root,
            _text(line.version) or session.version,
            session.mode,
            _text(line.timestamp),
            sidechain,
            number,
            size,
        )
        if session.said and not sidechain:
            waiting.said = tuple(session.said)
            session.said.clear()
        if key is None:
            self.found.append(waiting.close(self._file, NO_RESULT))
        elif key not in self.open:
            self.open[key] = waiting
            self._open_size += waiting.size
            if len(self.open) > _MOST_OPEN or self._open_size > _MOST_OPEN_TEXT:
                self._give_up()

    def _give_up(self) -> None:
        while self.open and (len(self.open) > _MOST_OPEN or self._open_size > _MOST_OPEN_TEXT):
            oldest = self.open.pop(next(iter(self.open)))
            self._open_size -= oldest.size
            self._problem(Trouble.TOO_MANY_OPEN, f"{len(self.open):,} others are open", oldest.line)
            self.found.append(oldest.close(self._file, NO_RESULT))

    def _result(self, line: Line, block: Block, number: int) -> None:
        key = _text(block.tool_use_id)
        waiting = self.open.pop(key, None) if key is not None else None
        if waiting is None:
            self._problem(Trouble.ORPHAN_RESULT, key or "no id", number)
            return
        self._open_size -= waiting.size
        finding = _finding(line, block, key, waiting)
        tool = waiting.call.tool
        # The mode the person chose on leaving plan mode is not recorded until the next prompt.
        if tool in _PLAN_TOOLS and finding[0].ran:
            self._session(waiting.session).mode = _PLAN_TOOLS[tool]
        self.found.append(waiting.close(self._file, finding))

    def _progress(self, line: Line, data: Progress, number: int) -> None:
        if data.type == "agent_progress":
            if type(data.message) is Envelope and type(data.message.message) is Message:
                self._message(line, data.message.message, number, True)
        elif data.type == "hook_progress" and data.hook_event == "PreToolUse":
            waiting = self.open.get(_text(line.progress_for) or "")
            if waiting is not None:
                waiting.hook_ran = True

    def _attachment(self, line: Line) -> None:
        attachment = line.attachment
        if type(attachment) is Attachment and attachment.hook_event == "PreToolUse":
            waiting = self.open.get(_text(attachment.tool_use_id) or "")
            if waiting is not None:
                waiting.hook_ran = True
                waiting.hook_blocked = attachment.type == "hook_blocking_error"

    def _system(self, line: Line, number: int) -> None:
        if line.subtype == "init":
            session = self._session(_text(line.session_twin))
            session.cwd = _text(line.cwd)
            session.root = session.root or session.cwd
            session.version = _text(line.version_twin)
            self._set_mode(line, number)
        elif line.subtype == "permission_denied":
            waiting = self.open.get(_text(line.tool_use_id) or "")
            if waiting is not None:
                waiting.denial_reason = _text(line.denial_reason)

    def _set_mode(self, line: Line, number: int) -> None:
        session = self._session(_text(line.session) or _text(line.session_twin))
        try:
            session.mode = Mode.parse(str(line.permission_mode))
        except ValueError:
            session.mode = None
            self._problem(Trouble.UNKNOWN_MODE, str(line.permission_mode)[:60], number)

    def _session(self, name: str | None) -> _Session:
        found = self._sessions.get(name)
        if found is None:
            found = self._sessions[name] = _Session()
        return found

    def _problem(self, trouble: Trouble, detail: str, number: int) -> None:
        self.found.append(Problem(trouble, detail, self._file, number))


def _finding(line: Line, block: Block, key: str | None, waiting: _Open) -> Finding:
    failed = block.is_error is True
    decision, kind = line.permission_decision, _text(line.denial_kind)
    if type(line.result_meta) is list:
        for meta in line.result_meta:
            if type(meta) is ResultMeta and meta.id == key:
                decision, kind = meta.permission_decision, _text(meta.non_execution_kind)
    if not failed and decision is None and kind is None:
        return EXECUTED
    return classify(
        Signs(
            failed,
            _result_text(block, line) if failed else "",
            decision if type(decision) is PermissionDecision else None,
            kind,
            waiting.hook_blocked,
            waiting.hook_ran,
            waiting.call.tool in _SHELLS,
            waiting.denial_reason,
        )
    )


def _result_text(block: Block, line: Line) -> str:
    try:
        content: Any = msgspec.json.decode(block.content) if block.content else ""
        if type(content) is list:
            content = next((part["text"] for part in content if type(part) is dict and "text" in part), "")
        if not content and bytes(memoryview(line.result)[:1]) == b'"':
            content = msgspec.json.decode(line.result)
    except (msgspec.DecodeError, RecursionError):
        return ""
    return content if type(content) is str else ""


def _is_shallow(value: Any) -> bool:
    """Whether no more than _DEEPEST containers stand inside each other, which everyone after us can follow."""
    layer = [value]
    for _ in range(_DEEPEST):
        layer = [
            inner
            for outer in layer
            for inner in (outer.values() if type(outer) is dict else outer)
            if type(inner) is dict or type(inner) is list
        ]
        if not layer:
            return True
    return False


def _text(value: Any) -> str | None:
    return value if type(value) is str else None
