"""Each check of the reader is needed: switched off alone, bash starts something that is not in the list.

The checks are found in the source, so a new one is on trial at once. Those that no such search can convict are in the
tables of `unseen_checks`, with the reason, and are tested there by a text or by a lie of the parser.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

import pytest
from lying_nodes import LyingNode
from reader_checks import checks
from unseen_checks import ALIKE, HELD, LIMITS, REJECTED, SHAPES, UNREACHED, Shape

from toolaudit.fuzz import mutation, vocabulary
from toolaudit.fuzz.chance import Dice
from toolaudit.fuzz.holes import holes
from toolaudit.fuzz.oracle import Oracle
from toolaudit.shell import heredocs, read, simple, tree, words
from toolaudit.shell.reading import Reading, Word
from toolaudit.shell.state import State

EXAMPLES = 5_000

ALL = {str(check): check for check in checks()}
UNSEEN = [*ALIKE, *HELD, *LIMITS, *REJECTED, *SHAPES, *UNREACHED]
SEEN = [name for name in ALL if name not in UNSEEN]
CONSTRUCTS = vocabulary.sections("constructs")


@cache
def base(place: str) -> tuple[str, ...]:
    """Texts about what the checks of a place are about, or else of its module."""
    module = place.partition(".")[0] + "."
    near = [text for name, texts in CONSTRUCTS.items() if name.startswith(module) for text in texts]
    return CONSTRUCTS.get(place) or tuple(near)


def changed(place: str) -> Iterator[str]:
    """The texts themselves, then mutations of them."""
    dice = Dice(1)
    yield from base(place)
    while True:
        yield mutation.mutation(dice, base(place))


def examples_until_a_hole(oracle: Oracle, texts: Iterator[str]) -> int | None:
    """How many accepted commands it took; None: more than there may be."""
    accepted = 0
    for text in texts:
        reading = read(text)
        if reading.complexity is None and "\0" not in text:
            accepted += 1
            if any(holes(reading, oracle.run(text, succeed)) for succeed in (True, False)):
                return accepted
        if accepted == EXAMPLES:
            return None
    raise AssertionError("the texts do not end")


@pytest.mark.parametrize("name", SEEN)
def test_without_the_check_a_hole_is_found(oracle: Oracle, name: str) -> None:
    with ALL[name].off():
        assert examples_until_a_hole(oracle, changed(ALL[name].place)) is not None


def test_each_row_of_the_tables_is_a_check() -> None:
    assert sorted(UNSEEN) == sorted(set(UNSEEN) & set(ALL))


@pytest.mark.parametrize("name", [*ALIKE, *REJECTED])
def test_check_refuses_what_starts_nothing_else(oracle: Oracle, name: str) -> None:
    text = (ALIKE | REJECTED)[name]
    assert read(text).complexity is not None
    with ALL[name].off():
        reading = read(text)
    assert reading.complexity is None
    assert not any(holes(reading, oracle.run(text, succeed)) for succeed in (True, False))


@pytest.mark.parametrize("name", REJECTED)
def test_bash_rejects_it_too(oracle: Oracle, name: str) -> None:
    assert oracle.run(REJECTED[name], succeed=True).status != 0


@pytest.mark.parametrize("name", HELD)
def test_what_the_check_refuses_is_refused_without_it(name: str) -> None:
    told = read(HELD[name]).complexity
    with ALL[name].off():
        assert read(HELD[name]).complexity not in (None, told)


@pytest.mark.parametrize("name", LIMITS)
def test_limits(name: str) -> None:
    text, reason = LIMITS[name]
    complexity = read(text).complexity
    assert complexity is not None
    assert complexity.reason == reason


@pytest.mark.parametrize("name", SHAPES)
def test_an_unknown_shape_of_the_tree_is_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    shape = SHAPES[name]
    assert read(shape.text).complexity is None
    monkeypatch.setattr(tree, "parse", lying(shape, tree.parse))
    told = read(shape.text).complexity
    assert told is not None
    with ALL[name].off():
        assert outcome(shape.text) != told


def lying(shape: Shape, parse: Callable[[bytes], object]) -> Callable[[bytes], LyingNode]:
    return lambda data: LyingNode(parse(data), shape.kind, shape.lies)  # type: ignore[arg-type]


def outcome(text: str) -> object:
    """The complexity, or the error, of a reading whose tree lies."""
    try:
        return read(text).complexity
    except (IndexError, AttributeError, AssertionError) as error:
        return error


NEVER_QUOTED = re.compile(r"[^ \t\n;&|<>()]+")


def every_body_quoted(*arguments: object, quoted: bool, strip_tabs: bool) -> Word:
    return READ_TEXT(*arguments, quoted=True, strip_tabs=strip_tabs)  # type: ignore[arg-type]


READ_TEXT = heredocs._read_text

TABLES = {
    "words without quotes": (words, "PLAIN", NEVER_QUOTED, "words.read"),
    "reserved words": (simple, "RESERVED_WORDS", frozenset(), "simple.Line._after_reserved"),
    "parameters that may be empty": (words, "SINGLE_PARAMETERS", frozenset(("$#", "$!")), "words.read"),
    "bodies of here-documents": (heredocs, "_read_text", every_body_quoted, "heredocs._read_text"),
    "numbers set before": (State, "deferred", lambda self: [], "assignments.set_variable"),
    "brace expansions": (words, "_expand_braces", lambda *arguments: None, "words.read"),
}
"""What the reader knows, replaced by something laxer: owner, name, replacement, and the texts to start from."""


@pytest.mark.parametrize("name", TABLES)
def test_without_the_knowledge_a_hole_is_found(oracle: Oracle, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    owner, attribute, replacement, place = TABLES[name]
    monkeypatch.setattr(owner, attribute, replacement)
    assert examples_until_a_hole(oracle, changed(place)) is not None


@pytest.mark.long
@pytest.mark.timeout(0)
@pytest.mark.parametrize("name", [*ALIKE, *REJECTED, *HELD])
def test_rows_of_the_tables_are_not_stale(oracle: Oracle, name: str) -> None:
    """A check that can be convicted after all does not belong there."""
    with ALL[name].off():
        assert examples_until_a_hole(oracle, changed(ALL[name].place)) is None


def test_without_checks_the_reader_is_the_reader() -> None:
    """Switching off leaves no trace."""
    before: list[Reading] = [read(text) for texts in CONSTRUCTS.values() for text in texts]
    for check in ALL.values():
        with check.off():
            pass
    assert [read(text) for texts in CONSTRUCTS.values() for text in texts] == before


def test_checks_are_found_in_the_source() -> None:
    assert {"sequences.read_program: root.has_error", "tree.check_comment: source[start] != '#'"} <= set(ALL)
    assert len(ALL) > 190
