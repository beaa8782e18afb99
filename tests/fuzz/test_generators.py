"""Generators: the same seed gives the same commands, bash takes many of them, and the reader's claim holds for them."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, find, given, settings

from toolaudit.fuzz import grammar, mutation, rewrites, strategies, vocabulary
from toolaudit.fuzz.chance import Dice
from toolaudit.fuzz.holes import holes
from toolaudit.fuzz.meaning import canonical
from toolaudit.fuzz.oracle import Oracle
from toolaudit.fuzz.rewrites.command import Command
from toolaudit.shell import read

QUICK = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
BASE = ("git push origin main", "ls | wc -l >f", "if ls; then rm x; fi")

GENERATORS = {
    "grammar": grammar.script,
    "noise": mutation.noise,
    "mutation": lambda chance: mutation.mutation(chance, BASE),
    "rewrites": lambda chance: rewrites.rewritten(("rm", "-rf", "x"), chance).text,
}


@pytest.mark.parametrize("name", GENERATORS)
def test_seed_decides(name: str) -> None:
    def commands(seed: int) -> list[str]:
        dice = Dice(seed)
        return [GENERATORS[name](dice) for _ in range(50)]

    assert commands(1) == commands(1)
    assert commands(1) != commands(2)
    assert len(set(commands(1))) > 25


def test_the_reader_accepts_a_good_part() -> None:
    dice = Dice(1)
    accepted = sum(read(grammar.script(dice)).complexity is None for _ in range(500))
    assert accepted > 100


def test_every_section_of_the_vocabulary_has_pieces() -> None:
    sections = vocabulary.sections()
    assert all(sections.values())
    assert all(len(pieces) % 2 == 0 for name, pieces in sections.items() if name.startswith("around "))
    assert " \\\n" in sections["blanks"]


def claim_holds(oracle: Oracle, command: str) -> None:
    reading = read(command)
    if reading.complexity is None:
        for succeed in (True, False):
            assert not holes(reading, oracle.run(command, succeed)), command


@QUICK
@given(strategies.scripts())
def test_claim_holds_for_scripts(oracle: Oracle, command: str) -> None:
    claim_holds(oracle, command)


@QUICK
@given(strategies.mutations(BASE))
def test_claim_holds_for_mutations(oracle: Oracle, command: str) -> None:
    claim_holds(oracle, command)


@QUICK
@given(strategies.rewrites(names=tuple(rewrites.BY_BASH)))
def test_one_rewrite_starts_the_same(oracle: Oracle, command: Command) -> None:
    claim_holds(oracle, command.text)
    if len(command.rewrites) == 1:
        programs = oracle.run(command.text).programs
        assert canonical(command.target) in [canonical([word.decode() for word in argv]) for argv in programs]


def test_strategies_shrink_to_something_simple() -> None:
    assert find(strategies.simple_commands(), lambda command: True).isalpha()
    assert len(find(strategies.noise(), lambda command: "$(" in command)) < 10
