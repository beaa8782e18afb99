"""Writes reports/reader-checks.md: python tests/fuzz/report_reader_checks.py > reports/reader-checks.md"""

from __future__ import annotations

from collections.abc import Iterator

from test_reader_checks import ALL, EXAMPLES, SEEN, changed, examples_until_a_hole
from unseen_checks import ALIKE, HELD, LIMITS, REJECTED, SHAPES, UNREACHED

from toolaudit.fuzz.oracle import Oracle

UNSEEN = (
    ("bash rejects what it refuses, or the command in question", REJECTED),
    ("the list would be complete without it", ALIKE),
    ("another check refuses the same texts, less closely", HELD),
    ("it bounds time, memory or what characters come through", LIMITS),
    ("the parser in use gives no such tree; tested with a tree that lies", SHAPES),
    ("no text gets there", UNREACHED),
)

INTRODUCTION = """\
{all} checks, found in the source. {convicted} are convicted: without the check, bash {bash} starts a program
that the reader does not list, within {examples:,} accepted commands. The commands are the texts about the
place of the check in `toolaudit/fuzz/constructs.txt`, then mutations of them, always the same. The others are
tested by a text or a tree of their own, by kind:"""


def lines(oracle: Oracle) -> Iterator[str]:
    found = {}
    for name in SEEN:
        with ALL[name].off():
            found[name] = examples_until_a_hole(oracle, changed(ALL[name].place))
    yield "# The checks of the shell reader, switched off one at a time"
    yield ""
    convicted = sum(at is not None for at in found.values())
    yield INTRODUCTION.format(all=len(ALL), convicted=convicted, bash=oracle.bash_version, examples=EXAMPLES)
    yield ""
    for reason, table in UNSEEN:
        yield f"- {len(table)}: {reason}"
    yield ""
    yield "| check | hole at the command |"
    yield "|---|---:|"
    for name, at in found.items():
        place, _, source = name.partition(": ")
        yield f"| `{place}`: `{source.replace('|', chr(92) + '|')}` | {'none' if at is None else f'{at:,}'} |"


if __name__ == "__main__":
    with Oracle() as oracle:
        for line in lines(oracle):
            print(line)
