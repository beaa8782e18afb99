"""The tests that any reader can run, run on our own readers, and on some that break a rule each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import EntryPoint
from types import SimpleNamespace

import pytest
from recording import call_id, result, use
from test_foreign import CASES, lines

from toolaudit.testing.readers import ReaderTests
from toolaudit.transcripts import Problem, RecordedCall, formats
from toolaudit.transcripts.formats import FORMATS, detect, named


def samples(format: str) -> dict[str, tuple[bytes, int]]:
    if format == "claude-code":
        return {"two": (lines(use(1), result(1), use(2)), 2)}
    if format == "claude-code-document":
        return {"list": (b"[" + lines(use(1)).strip() + b", " + lines(result(1)).strip() + b"]", 1)}
    return {case: (data, len(expected)) for case, (name, data, expected) in CASES.items() if name == format}


def suite(reader: object, held: dict[str, tuple[bytes, int]]) -> ReaderTests:
    return type("TestReader", (ReaderTests,), {"reader": reader, "samples": held})()


RULES = [name for name in vars(ReaderTests) if name.startswith("test_")]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("format", FORMATS, ids=lambda format: format.NAME)
def test_our_readers_keep_the_rules(format: object, rule: str) -> None:
    held = samples(format.NAME)
    assert held
    getattr(suite(format, held), rule)()


GOOD = named("claude-code")


def twice(raw: Iterable[bytes | Problem], file: str) -> Iterator[RecordedCall | Problem]:
    events = list(GOOD.read(raw, file))
    yield from events
    yield from events


def raising(raw: Iterable[bytes | Problem], file: str) -> Iterator[RecordedCall | Problem]:
    for line in raw:
        if isinstance(line, bytes):
            line.decode()
    yield from GOOD.read(raw, file)


def deaf(raw: Iterable[bytes | Problem], file: str) -> Iterator[RecordedCall | Problem]:
    yield from GOOD.read([line for line in raw if isinstance(line, bytes)], file)


BROKEN = {
    "test_it_names_itself": {"NAME": " "},
    "test_it_knows_its_own_recordings": {"detects": lambda head: False},
    "test_it_leaves_the_recordings_of_others_alone": {"detects": lambda head: True},
    "test_its_recordings_are_not_taken_for_another_format": {"NAME": "mine"},
    "test_every_call_is_told_once": {"read": twice},
    "test_damage_is_told_and_never_raises": {"read": raising},
    "test_problems_of_the_stream_are_passed_on": {"read": deaf},
}


@pytest.mark.parametrize("rule", BROKEN)
def test_a_reader_that_breaks_a_rule_is_found_out(rule: str) -> None:
    reader = SimpleNamespace(**{"NAME": GOOD.NAME, "detects": GOOD.detects, "read": GOOD.read, **BROKEN[rule]})
    with pytest.raises((AssertionError, UnicodeDecodeError)):
        getattr(suite(reader, samples("claude-code")), rule)()


class Ours:
    """A reader of another project: one call a line, after a word of its own."""

    NAME = "ours"

    @staticmethod
    def detects(head: Sequence[bytes]) -> bool:
        return bool(head) and head[0].startswith(b"OURS ")

    @staticmethod
    def read(raw: Iterable[bytes | Problem], file: str) -> Iterator[RecordedCall | Problem]:
        yield from GOOD.read((line.removeprefix(b"OURS ") for line in raw if isinstance(line, bytes)), file)


def test_an_installed_reader_is_tried_first(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EntryPoint("ours", f"{__name__}:Ours", formats.GROUP)
    monkeypatch.setattr(formats, "entry_points", lambda group: [entry] if group == formats.GROUP else [])
    formats.installed.cache_clear()
    try:
        assert detect([b"OURS " + lines(use(1, id=call_id(1)))]) is Ours
        assert named("ours") is Ours
    finally:
        formats.installed.cache_clear()
