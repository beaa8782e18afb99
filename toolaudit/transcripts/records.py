from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from toolaudit.transcripts.problem import Problem
from toolaudit.transcripts.repair import repair_line
from toolaudit.transcripts.wire import Line, decode_line

_BOM = b"\xef\xbb\xbf"


def read_records(lines: Iterable[bytes | Problem], file: str) -> Iterator[tuple[int, Line] | Problem]:
    """Each record with the number of its line, and a problem for each line that is not simply one record."""
    for number, raw in enumerate(lines, 1):
        if isinstance(raw, Problem):
            yield raw
            continue
        try:
            yield number, decode_line(raw)
        except (msgspec.DecodeError, RecursionError) as error:
            if number == 1:
                raw = raw.removeprefix(_BOM)
            if raw.isspace() or not raw:
                continue
            for found in repair_line(raw, error):
                if isinstance(found, Line):
                    yield number, found
                else:
                    yield Problem(*found, file, number)
