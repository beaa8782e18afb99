from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice

from toolaudit.transcripts.distinct import Event, distinct
from toolaudit.transcripts.formats import Format, detect
from toolaudit.transcripts.inputs import AnyInput, expand
from toolaudit.transcripts.lines import Lines
from toolaudit.transcripts.problem import FileRead, Problem, Trouble
from toolaudit.transcripts.recorded import RecordedCall

_HEAD_LINES = 50
_HEAD_BYTES = 1 << 20


def read(
    paths: Iterable[str], advance: Callable[[int], None] | None = None, forced: Format | None = None
) -> Iterator[Event]:
    """Every recorded call in files, folders, globs and standard input (`-`), once, with all that was wrong.

    Memory stays flat: a line (a file, in formats that are one JSON value), the calls that wait for a result, and some
    20 bytes for each call seen. `advance` hears how many bytes were read since it was last called. Each file's format
    is told by its content, unless one is `forced`. Nothing in the inputs raises.
    """
    return read_inputs(expand(paths), advance, forced)


def read_inputs(
    inputs: Iterable[AnyInput | Problem],
    advance: Callable[[int], None] | None = None,
    forced: Format | None = None,
) -> Iterator[Event]:
    """The same of inputs that were found already."""
    return distinct(_read_all(inputs, advance, forced))


def _read_all(
    inputs: Iterable[AnyInput | Problem], advance: Callable[[int], None] | None, forced: Format | None
) -> Iterator[Event]:
    for item in inputs:
        if isinstance(item, Problem):
            yield item
        else:
            yield from _read_input(item, advance, forced)


def _read_input(source: AnyInput, advance: Callable[[int], None] | None, forced: Format | None) -> Iterator[Event]:
    try:
        stream = source.open()
    except OSError as error:
        yield Problem(Trouble.UNREADABLE, error.strerror or str(error), source.name)
        return
    with stream:
        reader = Lines(stream, source.name, advance)
        lines = iter(reader)
        head = _head(lines)
        found = forced or detect([line for line in head if isinstance(line, bytes)])
        if found is None:
            yield from (line for line in head if isinstance(line, Problem))
            if any(isinstance(line, bytes) for line in head):
                yield Problem(Trouble.UNRECOGNISED, "its first lines fit no format", source.name)
            else:
                yield FileRead(source.name, "empty", 0, 0)
            return
        calls = 0
        recognised = True
        for event in found.read(chain(head, lines), source.name):
            if isinstance(event, RecordedCall):
                calls += 1
            elif event.trouble is Trouble.UNRECOGNISED:
                recognised = False
            yield event
        if recognised:
            yield FileRead(source.name, found.NAME, reader.count, calls)


def _head(lines: Iterable[bytes | Problem]) -> list[bytes | Problem]:
    head: list[bytes | Problem] = []
    size = 0
    for line in islice(lines, _HEAD_LINES):
        head.append(line)
        size += len(line) if isinstance(line, bytes) else 0
        if size > _HEAD_BYTES:
            break
    return head
