from __future__ import annotations

from collections.abc import Sequence

from toolaudit.fuzz.oracle import Run
from toolaudit.shell.reading import Reading, Shape, Word


def holes(reading: Reading, run: Run) -> tuple[tuple[bytes, ...], ...]:
    """The programs that bash started and no command of `reading` stands for: each one refutes the reader's claim.

    A reading that says "too complex" claims nothing, so it has no holes. A command whose name is only known at run time
    stands for no program.
    """
    if reading.complexity is not None:
        return ()
    commands = [command.argv for command in reading.commands if command.argv and command.argv[0].value is not None]
    return tuple(program for program in run.programs if not any(covers(words, program) for words in commands))


def covers(words: Sequence[Word], program: Sequence[bytes]) -> bool:
    """Whether `words` can become `program`: static words as they are, one or any number of unknown words as shaped.

    Linear in the product of both lengths: a set of reachable positions, no backtracking.
    """
    reached = _past_optional(words, {0})
    for argument in program:
        after = set()
        for at in reached:
            if at == len(words):
                continue
            word = words[at]
            if word.shape is Shape.MANY:
                after |= {at, at + 1}
            elif word.shape is Shape.ONE or _value(word) == argument:
                after.add(at + 1)
        reached = _past_optional(words, after)
        if not reached:
            return False
    return len(words) in reached


def _past_optional(words: Sequence[Word], reached: set[int]) -> set[int]:
    for at in sorted(reached):
        while at < len(words) and words[at].shape is Shape.MANY:
            at += 1
            reached.add(at)
    return reached


def _value(word: Word) -> bytes | None:
    return None if word.value is None else word.value.encode()
