"""Each check of the reader is needed: switched off alone, bash starts something that is not in the list.

A mutant names what is replaced and the pieces of text its checks are about. `test_hole_is_found` draws from those
pieces; `test_hole_is_found_by_the_general_generators` knows nothing of the mutant and takes longer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from toolaudit.fuzz import grammar, mutation
from toolaudit.fuzz.chance import Dice
from toolaudit.fuzz.holes import holes
from toolaudit.fuzz.oracle import Oracle
from toolaudit.shell import builtins, compounds, heredocs, read, sequences, simple, tree, words
from toolaudit.shell.state import State

EXAMPLES = 5_000
NEVER = re.compile(r"(?!)")
ANYTHING = re.compile(r"[^ \t\n;&|<>()]+")


def nothing(*arguments: object, **options: object) -> None:
    """A check that never objects."""


def without(reason: str) -> Callable[..., None]:
    """`State.evaluates`, deaf to one reason."""
    real = State.evaluates

    def evaluates(self: State, why: str, construct: str, span: tuple[int, int]) -> None:
        if why != reason:
            real(self, why, construct, span)

    return evaluates


def every_body_quoted(*arguments: object, quoted: bool, strip_tabs: bool) -> object:
    return _READ_TEXT(*arguments, quoted=True, strip_tabs=strip_tabs)  # type: ignore[arg-type]


_READ_TEXT = heredocs._read_text


@dataclass(frozen=True)
class Mutant:
    replaced: tuple[tuple[object, str, object], ...]
    pieces: str
    """Separated by blanks; ␣ is a blank in a piece, ␤ a line end. Empty: the grammar alone does."""


MUTANTS = {
    "bytes between tokens": Mutant(
        ((tree, "check_gap", nothing), (sequences, "check_gap", nothing)), "ls ␣ \\␤ #x \\␣ a=1 é=1 ␤ | ; & ( )"
    ),
    "words without quotes": Mutant(((words, "PLAIN", ANYTHING),), "ls ␣ 'a' \"b\" \\␣ $x {a,b} x ␤ ;"),
    "reserved words": Mutant(((simple, "RESERVED_WORDS", frozenset()),), "time coproc ! { ␣ ls id x | ; -p a=1 [[ ]]"),
    "dynamic command words": Mutant(
        ((State, "evaluates", without("dynamic-command")),), "x=ls ;␣ $x ␣ a ${x} $(id) ␤ y"
    ),
    "evaluating builtins": Mutant(
        ((State, "evaluates", without("evaluating-builtin")),), "eval␣ ls ␣ 'id' ; trap␣ EXIT"
    ),
    "builtins": Mutant(((builtins, "CHECKED", frozenset()),), "exec␣ command␣ eval␣ ls ␣ id ;"),
    "coprocesses": Mutant(((State, "evaluates", without("coprocess")),), "e␣$( a& coproc␣d ) ␣ ;␣ x"),
    "bodies of here-documents": Mutant(
        ((heredocs, "_read_text", every_body_quoted),), "cat␣<<E␤ $(id) `id` E␤ x ␤ ␣ ${x:-$(id)} <<-E␤ ls"
    ),
    "statements behind here-documents": Mutant(
        ((sequences, "_check_after_body", nothing),), "echo␣$(cat␣<<E␤E␤ id;␣ls ; ␤ls )"
    ),
    "keywords that touch": Mutant(((sequences, "_check_keyword", nothing),), "ls ␣ ␤ id ; {␣ {} ; } a ( )"),
    "descriptors": Mutant(((simple, "_check_descriptor", nothing),), "ls ␣ 1 2 >f <f {x} > x id 10 >&2"),
    "subscripts": Mutant(((simple, "_check_subscript", nothing),), "a[ 0 ]= ] $(id) x =1 ␣ ls `id` ␤ ;"),
    "continued words": Mutant(((simple, "_check_joined", nothing),), "ls \\␤ ␣ ti me cop roc i f { } [ ] a = 1 x ! ;"),
    "brace expansions": Mutant(((words, "_expand_braces", nothing),), "ls ␣ {a,b} x{a,b} {1..3} $x ;"),
    "parameters that may be empty": Mutant(
        ((words, "SINGLE_PARAMETERS", frozenset(("$#", "$!"))),), "ls ␣ $! $? x ; id &"
    ),
    "patterns of case": Mutant(
        ((compounds, "_read_patterns", nothing),), "case␣x␣in␣ x $(id) `id` )␣ ls ;;␣ esac | * ("
    ),
    "prompt expansions": Mutant(((State, "evaluates", without("prompt-expansion")),), "x='$(id)' ;␣ :␣ ${x@P} ls ␣ ␤"),
    "indirections": Mutant(((State, "evaluates", without("indirection")),), "x='a[$(id)]' ;␣ :␣ ${!x} ls ␣ ␤"),
    "sensitive variables": Mutant(
        ((State, "evaluates", without("sensitive-variable")),), "PS4='$(id)' ;␣ set␣-x ␤ : ␣ ls a=1"
    ),
    "numbers": Mutant(((State, "evaluates", without("unknown-number")),), "[[␣'a[$(id)]'␣-eq␣1␣]] ␣ ;␣ ls ␤ &&"),
    "names in conditions": Mutant(((State, "evaluates", without("subscript")),), "[[␣-v␣'a[$(id)]'␣]] ;␣ ␣ ls ␤ &&"),
    "numbers set before": Mutant(
        ((State, "deferred", lambda self: []),), "x='a[$(id)]' ;␣ $((x)) :␣ ␤ ((x)) [[␣x␣-eq␣1␣]] ␣ ls x=1"
    ),
}

GENERAL = (
    *("bytes between tokens", "words without quotes", "reserved words", "evaluating builtins", "builtins"),
    *("bodies of here-documents", "subscripts", "continued words", "brace expansions"),
    *("parameters that may be empty", "patterns of case"),
)


@pytest.fixture
def mutant(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Mutant:
    chosen = MUTANTS[request.param]
    for owner, name, replacement in chosen.replaced:
        if hasattr(owner, name) or owner is chosen.replaced[0][0]:
            monkeypatch.setattr(owner, name, replacement)
    return chosen


def drawn(mutant: Mutant) -> Iterator[str]:
    pieces = [piece.replace("␣", " ").replace("␤", "\n") for piece in mutant.pieces.split()]
    dice = Dice(1)
    while True:
        if not pieces or dice.happens(25):
            yield grammar.script(dice)
        else:
            yield "".join(dice.choose(pieces) for _ in range(dice.choose(range(2, 11))))


def general() -> Iterator[str]:
    dice = Dice(2)
    base = [grammar.script(dice) for _ in range(500)]
    while True:
        yield grammar.script(dice)
        yield mutation.mutation(dice, base)


def examples_until_a_hole(oracle: Oracle, texts: Iterator[str]) -> int | None:
    """How many accepted commands it took; None: more than there may be."""
    accepted = 0
    while accepted < EXAMPLES:
        text = next(texts)
        reading = read(text)
        if reading.complexity is not None or "\0" in text:
            continue
        accepted += 1
        if any(holes(reading, oracle.run(text, succeed)) for succeed in (True, False)):
            return accepted
    return None


@pytest.mark.parametrize("mutant", MUTANTS, indirect=True)
def test_hole_is_found(oracle: Oracle, mutant: Mutant) -> None:
    assert examples_until_a_hole(oracle, drawn(mutant)) is not None


@pytest.mark.long
@pytest.mark.parametrize("mutant", GENERAL, indirect=True)
def test_hole_is_found_by_the_general_generators(oracle: Oracle, mutant: Mutant) -> None:
    assert examples_until_a_hole(oracle, general()) is not None
