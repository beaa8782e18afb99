"""Inspect's evaluation logs: `.eval` archives and JSON documents, each with samples and their events."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from toolaudit.transcripts.foreign.document import begins, decode, items, record, string, values, whole
from toolaudit.transcripts.foreign.recording import Finding, Recording, ran, refused
from toolaudit.transcripts.problem import Problem, Trouble
from toolaudit.transcripts.recorded import RecordedCall, RecordedOutcome

NAME = "inspect"

_ARCHIVE = b"PK\x03\x04"
_SAMPLE_LIMIT = 256 << 20
"""Bytes of one sample, unpacked."""
_REFERENCE = "attachment://"
_PERSON = "human"
"""The approver that asks somebody."""
_BROKEN = (zipfile.BadZipFile, zlib.error, struct.error, OSError, EOFError, RuntimeError, ValueError, MemoryError)
"""What a damaged archive makes the standard library raise."""
_READABLE = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA})


def detects(head: Sequence[bytes]) -> bool:
    if head and head[0].startswith(_ARCHIVE):
        return True
    return begins(head, b'"eval"', b'"version"', b'"plan"')


def read(lines: Iterable[bytes | Problem], file: str) -> Iterator[RecordedCall | Problem]:
    lines = iter(lines)
    first = next(lines, b"")
    again = chain([first], lines)
    if isinstance(first, bytes) and first.startswith(_ARCHIVE):
        data, problem = whole(again, file)
        if problem is not None:
            yield problem
        else:
            yield from _archive(data, file)
        return
    for item in values(again, file):
        if isinstance(item, Problem):
            yield item
            continue
        document = record(item[1])
        for sample in items(document.get("samples")):
            yield from _sample(record(sample), file, record(document.get("eval")))


def _archive(data: bytes, file: str) -> Iterator[RecordedCall | Problem]:
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except _BROKEN as error:
        yield Problem(Trouble.UNREADABLE, f"{type(error).__name__}: {error}", file)
        return
    for number, member in enumerate(sorted(archive.namelist()), 1):
        if member.startswith("samples/") and member.endswith(".json"):
            for item in _member(archive, member, file, number):
                if isinstance(item, Problem):
                    yield item
                else:
                    yield from _sample(record(item[1]), file, {})


def _member(archive: zipfile.ZipFile, name: str, file: str, number: int) -> Iterator[tuple[int, Any] | Problem]:
    info = archive.getinfo(name)
    if info.file_size > _SAMPLE_LIMIT:
        yield Problem(Trouble.TOO_LONG, f"{name[:60]}: {info.file_size:,} bytes unpacked", file, number)
        return
    if info.compress_type not in _READABLE:
        yield from _through_inspect(name, file, number)
        return
    try:
        with archive.open(info) as stream:
            text = stream.read(_SAMPLE_LIMIT)
    except _BROKEN as error:
        yield Problem(Trouble.UNREADABLE, f"{name[:60]}: {error}", file, number)
        return
    yield from decode(text, file, number)


def _through_inspect(name: str, file: str, number: int) -> Iterator[tuple[int, Any] | Problem]:
    """A sample whose compression this Python does not know, by Inspect's own reader where that is installed."""
    try:
        from inspect_ai.log import read_eval_log_sample
    except ImportError:
        help = "compressed in a way this Python can't read; install inspect_ai to read it"
        yield Problem(Trouble.UNREADABLE, f"{name[:60]}: {help}", file, number)
        return
    id, _, epoch = name.removeprefix("samples/").removesuffix(".json").rpartition("_epoch_")
    try:
        sample = read_eval_log_sample(file, id=int(id) if id.isdecimal() else id, epoch=int(epoch))
    except Exception as error:  # whatever another project's reader raises, the next sample may be well
        yield Problem(Trouble.UNREADABLE, f"{name[:60]}: {type(error).__name__}: {error}", file, number)
        return
    yield number, sample.model_dump(mode="json")


def _sample(sample: dict[str, Any], file: str, task: Mapping[str, Any]) -> Iterator[RecordedCall | Problem]:
    recording = Recording(NAME, file)
    parts = (task.get("eval_id") or task.get("run_id"), sample.get("uuid") or sample.get("id"), sample.get("epoch"))
    recording.session = "/".join(str(part) for part in parts if part is not None) or None
    attachments = record(sample.get("attachments"))
    for place, event in enumerate(map(record, items(sample.get("events"))), 1):
        if event.get("event") == "tool":
            id = string(event.get("id"))
            given = _resolved(event.get("arguments"), attachments)
            yield from recording.call(event.get("function"), given, place, id=id, timestamp=event.get("timestamp"))
            if event.get("result") is not None or event.get("error"):
                yield from recording.result(id, _finding(record(event.get("error"))))
        elif event.get("event") == "approval":
            yield from _approval(recording, event, attachments, place)
    # Older logs have messages only, and newer ones repeat in them what the events tell.
    for place, message in enumerate(map(record, items(sample.get("messages"))), 1):
        for call in map(record, items(message.get("tool_calls"))):
            given = _resolved(call.get("arguments"), attachments)
            yield from recording.call(call.get("function"), given, place, id=string(call.get("id")))
        if message.get("role") == "tool":
            yield from recording.result(message.get("tool_call_id"), _finding(record(message.get("error"))))
    yield from recording.rest()


def _approval(
    recording: Recording, event: dict[str, Any], attachments: dict[str, Any], place: int
) -> Iterator[RecordedCall | Problem]:
    call = record(event.get("call"))
    id = string(call.get("id"))
    decision, approver = event.get("decision"), str(event.get("approver"))
    if decision == "modify":
        # What runs is what the approver made of it.
        call = record(event.get("modified")) or call
    elif decision not in ("approve", "reject", "terminate"):
        return
    given = _resolved(call.get("arguments"), attachments)
    yield from recording.call(call.get("function"), given, place, id=id, timestamp=event.get("timestamp"))
    if approver == _PERSON:
        recording.asked(id)
    if decision in ("reject", "terminate"):
        outcome = RecordedOutcome.USER_REJECTED if approver == _PERSON else RecordedOutcome.HOOK_DENIED
        yield from recording.result(id, refused(outcome, f"approval {decision} by {approver[:40]}"))


def _resolved(arguments: object, attachments: dict[str, Any]) -> object:
    if not isinstance(arguments, dict):
        return arguments
    return {
        name: attachments.get(value.removeprefix(_REFERENCE), value)
        if isinstance(value, str) and value.startswith(_REFERENCE)
        else value
        for name, value in arguments.items()
    }


def _finding(error: dict[str, Any]) -> Finding:
    kind = error.get("type")
    if kind == "approval":
        return refused(RecordedOutcome.USER_REJECTED, "error approval")
    return ran(bool(error), f"error {kind}" if error else "a result without an error")
