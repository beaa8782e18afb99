"""What every reader of recordings must do, as a class of pytest tests that a reader's own project inherits.

    from toolaudit.testing.readers import ReaderTests
    import my_reader

    class TestMyReader(ReaderTests):
        reader = my_reader
        samples = {"short": (SHORT_RECORDING, 3)}

A sample is a whole recording, as bytes, with the number of its calls. Readers that an installed package offers under
the entry point group `toolaudit.readers` are tried before toolaudit's own.
"""

from __future__ import annotations

import io
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import ClassVar

from toolaudit.transcripts import Problem, RecordedCall, Trouble
from toolaudit.transcripts.formats import Format, detect

_DAMAGES = 60
"""How many damaged copies of each sample are read."""

_FILE = "recording"


class ReaderTests:
    """Inherit, and name the reader and its samples."""

    reader: ClassVar[Format]
    samples: ClassVar[Mapping[str, tuple[bytes, int]]]

    def test_it_names_itself(self) -> None:
        assert isinstance(self.reader.NAME, str)
        assert self.reader.NAME == self.reader.NAME.strip() != ""

    def test_it_knows_its_own_recordings(self) -> None:
        for name, (data, _) in self.samples.items():
            assert self.reader.detects(_lines(data)), name

    def test_its_recordings_are_not_taken_for_another_format(self) -> None:
        for name, (data, _) in self.samples.items():
            found = detect(_lines(data))
            assert found is None or found.NAME == self.reader.NAME, name

    def test_it_leaves_the_recordings_of_others_alone(self) -> None:
        for text in (b"", b"\n", b"hello\n", b"{}\n", b"[]\n", b'{"type": "unheard of"}\n', b"\xff\xfe\x00"):
            assert not self.reader.detects(_lines(text)), text

    def test_every_call_is_told_once(self) -> None:
        for name, (data, count) in self.samples.items():
            calls = _calls(self.reader, data)
            assert len(calls) == count, name
            named = Counter(call.call.id for call in calls if call.call.id is not None)
            assert all(times == 1 for times in named.values()), name

    def test_every_call_says_where_it_stands_and_what_it_rests_on(self) -> None:
        for name, (data, _) in self.samples.items():
            for call in _calls(self.reader, data):
                assert call.file == _FILE, name
                assert call.line >= 1, name
                assert call.call.tool, name
                assert isinstance(call.call.input, Mapping), name
                assert call.evidence.marker, name

    def test_reading_again_gives_the_same(self) -> None:
        for name, (data, _) in self.samples.items():
            assert list(_read(self.reader, data)) == list(_read(self.reader, data)), name

    def test_damage_is_told_and_never_raises(self) -> None:
        for data, _ in self.samples.values():
            for damaged in _damaged(data):
                for event in _read(self.reader, damaged):
                    assert isinstance(event, RecordedCall | Problem)

    def test_problems_of_the_stream_are_passed_on(self) -> None:
        problem = Problem(Trouble.UNREADABLE, "the stream broke off", _FILE)
        for name, (data, _) in self.samples.items():
            events = list(self.reader.read([*_lines(data), problem], _FILE))
            assert problem in events, name


def _lines(data: bytes) -> list[bytes]:
    return io.BytesIO(data).readlines()


def _read(reader: Format, data: bytes) -> Iterator[RecordedCall | Problem]:
    return reader.read(iter(_lines(data)), _FILE)


def _calls(reader: Format, data: bytes) -> list[RecordedCall]:
    return [event for event in _read(reader, data) if isinstance(event, RecordedCall)]


def _damaged(data: bytes) -> Iterator[bytes]:
    """Copies of a recording that was cut off, lost bytes, or had some changed."""
    chance = random.Random(1)
    for _ in range(_DAMAGES):
        at = chance.randrange(len(data) + 1)
        yield data[:at]
        yield data[:at] + bytes(chance.randrange(256) for _ in range(3)) + data[at + 3 :]
        yield data[:at] + data[at + chance.randrange(1, 40) :]
