"""Reads vocabulary.txt, which also says how it is written, and constructs.txt, which is written like it."""

from __future__ import annotations

from pathlib import Path

# INVARIANT: split() knows no other blanks than the file's own, so ␣ and ⍽ are translated after it.
_MARKS = str.maketrans("␣␤␉␍␌␋⍽", " \n\t\r\f\v\u00a0")


def sections(name: str = "vocabulary") -> dict[str, tuple[str, ...]]:
    """The pieces of each section by its name; of an `around` section, openings and closings in turn."""
    text = Path(__file__).with_name(f"{name}.txt").read_text(encoding="utf-8")
    found = {}
    for section in text.split("\n== ")[1:]:
        title, _, body = section.partition("\n")
        found[title.partition(":")[0]] = tuple(piece.translate(_MARKS) for piece in body.split())
    return found


def pairs(pieces: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Openings with their closings, of an `around` section."""
    return tuple(zip(pieces[::2], pieces[1::2], strict=True))
