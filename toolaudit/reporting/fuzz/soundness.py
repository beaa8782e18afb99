"""The report of a soundness run, as Markdown: what was run, what came of it, and what that does not show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import TextIO

from toolaudit.fuzz.soundness import Hole, Tally
from toolaudit.reporting.text import plain

REASONS_SHOWN = 12

CLAIM = """\
The claim: every program that bash would start from a command is in the reader's list, or the reader says that the
command is too complex. To test it, commands were generated; each one the reader accepted was run by real bash in a jail
where programs are recorded instead of started, once with every program succeeding and once with every program failing;
and what bash started was compared with the reader's list.
"""

LIMITS = """\
This is evidence, not proof. The oracle can't see branches that hang on a program's real output or on files, since
programs only print the line `w1` and there are no files but those a command makes itself; a program that starts others
(`sh -c`, `xargs`, `find -exec`) counts as that program; and what builtins do besides starting programs is not recorded.
Refused commands are not run: a refusal claims nothing.
"""


@dataclass(frozen=True, slots=True)
class Circumstances:
    """How the run was made."""

    command: str
    seed: int
    bash: str
    parser: str
    interrupted: bool = False


def parser_version() -> str:
    """The parser the reader rests on, with its versions."""
    return ", ".join(f"{name} {version(name)}" for name in ("tree-sitter", "tree-sitter-bash"))


def write(tallies: Mapping[str, Tally], circumstances: Circumstances, stream: TextIO) -> None:
    holes = [hole for tally in tallies.values() for hole in tally.holes]
    accepted = sum(tally.accepted for tally in tallies.values())
    programs = sum(tally.programs for tally in tallies.values())
    seconds = sum(tally.seconds for tally in tallies.values())
    stream.write("# Soundness of the shell reader\n\n")
    stream.write(f"{CLAIM}\n")
    stream.write(f"    {circumstances.command}\n\n")
    if circumstances.interrupted:
        stream.write("The run was interrupted; these are the counts up to then.\n\n")
    stream.write(
        f"**{len(holes)} holes in {accepted:,} accepted commands**, {2 * accepted:,} runs that started {programs:,} "
        f"programs, seed {circumstances.seed}, bash {circumstances.bash}, {circumstances.parser}; "
        f"{2 * accepted / max(seconds, 0.001):,.0f} runs a second, generation and reading included.\n\n"
    )
    stream.write("| generator | generated | accepted and run | programs | undecided | holes | runs/s |\n")
    stream.write("|---|---:|---:|---:|---:|---:|---:|\n")
    for name, tally in tallies.items():
        rate = 2 * tally.accepted / max(tally.seconds, 0.001)
        stream.write(
            f"| {name} | {tally.generated:,} | {tally.accepted:,} | {tally.programs:,} | "
            f"{tally.undecided.total():,} | {len(tally.holes)} | {rate:,.0f} |\n"
        )
    stream.write("\nGenerated commands include repetitions, which are read once. ")
    stream.write("Undecided ones are accepted commands whose run was cut short; they are not among those counted as ")
    stream.write("accepted, though what they started until then was compared too:\n\n")
    _counts(_total(tally.undecided for tally in tallies.values()), stream)
    stream.write("\nWhy commands were refused, most frequent reasons first:\n\n")
    _counts(_total(tally.refused for tally in tallies.values()), stream)
    stream.write(f"\n{LIMITS}")
    if holes:
        stream.write("\n## Holes\n\n")
        for hole in sorted(holes, key=lambda hole: (len(hole.shrunk), hole.shrunk)):
            stream.write(f"- {describe(hole)}\n")


def describe(hole: Hole) -> str:
    """One hole in one line of Markdown."""
    started = " ".join(word.decode(errors="replace") for word in hole.program)
    branch = "succeed" if hole.succeed else "fail"
    return f"{code(hole.shrunk)} starts {code(started)} where programs {branch} ({hole.generator}: {code(hole.text)})"


def code(text: str) -> str:
    """`text` as a code span, on one line, with nothing in it that would end the span."""
    shown = plain(text)
    fence = "``" if "`" in shown else "`"
    return f"{fence}{' ' if fence == '``' else ''}{shown}{' ' if fence == '``' else ''}{fence}"


def _total(counters: Iterable[Counter[str]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for counter in counters:
        total.update(counter)
    return total


def _counts(counts: Counter[str], stream: TextIO) -> None:
    for reason, count in counts.most_common(REASONS_SHOWN):
        stream.write(f"- {count:,} {reason}\n")
    rest = sum(count for _, count in counts.most_common()[REASONS_SHOWN:])
    if rest:
        stream.write(f"- {rest:,} others\n")
    if not counts:
        stream.write("- none\n")
