"""OpenCode's sessions: what `run --format json` prints, an export, a stored part, or the database with all of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from toolaudit.transcripts.foreign.document import begins, decode, items, record, string, values, whole
from toolaudit.transcripts.foreign.recording import Finding, Recording, ran, refused
from toolaudit.transcripts.problem import Problem, Trouble
from toolaudit.transcripts.recorded import Grounds, RecordedCall, RecordedOutcome

NAME = "opencode"

_DATABASE = b"SQLite format 3\0"
_REJECTED = ("The user rejected permission", "The user dismissed", "Rejected by user")
_FORBIDDEN = "The user has specified a rule which prevents you from using"
_DONE = frozenset({"completed", "success"})


def detects(head: Sequence[bytes]) -> bool:
    if head and head[0].startswith(_DATABASE):
        return True
    stored = ((b'"sessionID"',), (b'"parts"', b'"info"', b'"directory"'), (b'"messageID"', b'"callID"', b'"tool"'))
    session = (b'"projectID"', b'"directory"', b'"title"')
    return any(begins(head, *names) for names in (*stored, session))


def read(lines: Iterable[bytes | Problem], file: str) -> Iterator[RecordedCall | Problem]:
    lines = iter(lines)
    first = next(lines, b"")
    rest = chain([first], lines)
    if isinstance(first, bytes) and first.startswith(_DATABASE):
        yield from _database(rest, file)
        return
    yield from Recording(NAME, file).follow(values(rest, file), _document)


def _document(recording: Recording, number: int, value: Any) -> Iterator[RecordedCall | Problem]:
    document = record(value)
    info = record(document.get("info")) or document
    recording.session = string(info.get("sessionID")) or string(info.get("id")) or recording.session
    recording.cwd = string(info.get("directory")) or recording.cwd
    recording.version = string(info.get("version")) or recording.version
    for place, message in enumerate(map(record, items(document.get("messages"))), 1):
        for part in items(message.get("parts")):
            yield from _part(recording, record(part), place)
    yield from _part(recording, record(document.get("part")) or document, number)


def _part(recording: Recording, part: dict[str, Any], place: int) -> Iterator[RecordedCall | Problem]:
    if part.get("type") != "tool":
        return
    state = record(part.get("state"))
    id = string(part.get("callID")) or string(part.get("id")) or recording.unnamed()
    timestamp = record(state.get("time")).get("start")
    yield from recording.call(part.get("tool"), state.get("input"), place, id=id, timestamp=timestamp)
    if state.get("status") in (*_DONE, "error"):
        yield from recording.result(id, _finding(state))


def _finding(state: dict[str, Any]) -> Finding:
    if state["status"] in _DONE:
        code = record(state.get("metadata")).get("exit")
        return ran(code not in (0, None), f"status {state['status']}, exit {code}")
    error = str(state.get("error"))
    if error.startswith(_REJECTED):
        return refused(RecordedOutcome.USER_REJECTED, error[:60], Grounds.TEXT)
    if error.startswith(_FORBIDDEN):
        return refused(RecordedOutcome.RULE_DENIED, _FORBIDDEN, Grounds.TEXT)
    return ran(True, "status error")


def _database(lines: Iterable[bytes | Problem], file: str) -> Iterator[RecordedCall | Problem]:
    """The calls of all sessions of a database, which is read from memory: nothing opens or locks the file itself."""
    data, problem = whole(lines, file)
    if problem is not None:
        yield problem
        return
    with sqlite3.connect(":memory:") as connection:
        try:
            connection.deserialize(data)
            connection.execute("PRAGMA query_only = ON")
            query = (
                "SELECT part.data, part.session_id, session.directory FROM part "
                "JOIN session ON session.id = part.session_id ORDER BY part.session_id, part.id"
            )
            recordings: dict[str, Recording] = {}
            for place, (text, session, directory) in enumerate(connection.execute(query), 1):
                recording = recordings.setdefault(str(session), Recording(NAME, file))
                recording.session, recording.cwd = str(session), string(directory)
                raw = text.encode() if isinstance(text, str) else bytes(text)
                for item in decode(raw, file, place):
                    if isinstance(item, Problem):
                        yield item
                    else:
                        yield from _part(recording, record(item[1]), place)
            for recording in recordings.values():
                yield from recording.rest()
        except (sqlite3.Error, UnicodeError, TypeError) as error:
            yield Problem(Trouble.UNREADABLE, f"{type(error).__name__}: {error}", file)
