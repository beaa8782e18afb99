"""The reader's claim put to the test: of each generated command it accepts, bash may start nothing it does not list."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from toolaudit import shell
from toolaudit.fuzz import grammar, mutation, rewrites, vocabulary
from toolaudit.fuzz.advisories import advisories
from toolaudit.fuzz.chance import Chance, Dice
from toolaudit.fuzz.holes import holes
from toolaudit.fuzz.oracle import Oracle
from toolaudit.fuzz.shrinking import shrink
from toolaudit.shell.reading import Reading

Generator = Callable[[Chance], str]
Reader = Callable[[str], Reading]

BASE_SIZE = 2000
"""How many commands of the grammar the mutations start from."""

NAMES = ("rm", "git", "ls", "cat")
WORDS = ("x", "-rf", "push", "a b", "it's", "$x", "", "./.env", "*", "é", "\\", "a\nb")


@dataclass(frozen=True, slots=True)
class Hole:
    """A command the reader accepted that starts a program the reader did not list."""

    text: str
    shrunk: str
    program: tuple[bytes, ...]
    """What `shrunk` starts, unlisted."""
    succeed: bool
    """Whether programs succeeded in that run."""
    generator: str


@dataclass(slots=True)
class Tally:
    """What came of one generator's commands."""

    generated: int = 0
    accepted: int = 0
    """Distinct ones that the reader accepted, and that bash ran to the end with programs succeeding and failing."""
    programs: int = 0
    """Started by the accepted ones in both runs together."""
    undecided: Counter[str] = field(default_factory=Counter)
    """Accepted ones whose run the oracle had to cut short, by reason. What they did start was checked."""
    refused: Counter[str] = field(default_factory=Counter)
    """By the reader's reason."""
    holes: list[Hole] = field(default_factory=list)
    seconds: float = 0.0


def generators(seed: int) -> dict[str, tuple[Generator, int]]:
    """Each generator by name, with its share of the accepted commands in percent."""
    dice = Dice(f"base {seed}")
    base = [grammar.script(dice) for _ in range(BASE_SIZE)]
    base += [row.command for row in advisories() if row.command]
    constructs = [text for section in vocabulary.sections("constructs").values() for text in section]
    return {
        "grammar": (grammar.script, 45),
        "mutation": (lambda chance: mutation.mutation(chance, base), 25),
        "constructs": (lambda chance: mutation.mutation(chance, constructs), 15),
        "noise": (mutation.noise, 10),
        "rewrites": (_rewrite, 5),
    }


def _rewrite(chance: Chance) -> str:
    """A rewrite of a short command, at times twisted."""
    words = (chance.choose(NAMES), *(chance.choose(WORDS) for _ in range(chance.choose((0, 1, 2, 3)))))
    text = rewrites.rewritten(words, chance).text
    return grammar.twist(chance, text) if chance.happens(50) else text


@dataclass(frozen=True, slots=True)
class Step:
    """Where a run stands: the tallies, which go on changing, and how many commands the step accepted."""

    tallies: Mapping[str, Tally]
    accepted: int


def run(
    oracle: Oracle, seed: int, examples: int, *, seconds: float | None = None, reader: Reader = shell.read
) -> Iterator[Step]:
    """Runs until `examples` generated commands were accepted and checked, or `seconds` have passed.

    Who stops listening keeps the tallies of the last step.
    """
    tallies = {name: Tally() for name in generators(seed)}
    seen: set[str] = set()
    deadline = time.monotonic() + (seconds if seconds is not None else float("inf"))
    for name, (generate, share) in generators(seed).items():
        tally = tallies[name]
        dice = Dice(f"{name} {seed}")
        wanted = -(-examples * share // 100)
        start = time.monotonic()
        while tally.accepted < wanted and time.monotonic() < deadline:
            before = tally.accepted
            check(generate(dice), oracle, reader, tally, seen, name)
            tally.seconds = time.monotonic() - start
            yield Step(tallies, tally.accepted - before)


def check(text: str, oracle: Oracle, reader: Reader, tally: Tally, seen: set[str], generator: str) -> None:
    """Reads `text`, and where that succeeds runs it both ways and books what bash started."""
    tally.generated += 1
    if text in seen:
        return
    reading = reader(text)
    if reading.complexity is not None:
        tally.refused[reading.complexity.reason] += 1
        return
    seen.add(text)
    doubtful = None
    for succeed in (True, False):
        run = oracle.run(text, succeed)
        tally.programs += len(run.programs)
        doubtful = doubtful or run.doubtful
        if holes(reading, run):
            tally.holes.append(_shrunk(text, oracle, reader, succeed, generator))
            break
    if doubtful:
        tally.undecided[doubtful] += 1
    else:
        tally.accepted += 1


def _shrunk(text: str, oracle: Oracle, reader: Reader, succeed: bool, generator: str) -> Hole:
    def found(candidate: str) -> tuple[tuple[bytes, ...], ...]:
        reading = reader(candidate)
        return () if reading.complexity else holes(reading, oracle.run(candidate, succeed))

    shrunk = shrink(text, lambda candidate: bool(found(candidate)))
    again = found(shrunk) or ((b"not seen again",),)
    return Hole(text, shrunk, again[0], succeed, generator)
