from __future__ import annotations

import re
from collections.abc import Callable

_PIECE = re.compile(r"\\\n|\s+|\w+|.", re.DOTALL)
PLAIN = ("a", " ")


def shrink(text: str, fails: Callable[[str], bool], attempts: int = 2000) -> str:
    """The shortest text this can find, within `attempts` calls of `fails`, that still fails; `text` itself must fail.

    Takes out runs of tokens, halving their length (O(n log n) calls a pass), then single characters, then puts a plain
    piece in the place of a longer one; as long as a pass makes it shorter. The same text gives the same result.
    """
    budget = [attempts]

    def still_fails(candidate: str) -> bool:
        if budget[0] <= 0 or not candidate.strip():
            return False
        budget[0] -= 1
        return fails(candidate)

    while True:
        before = text
        text = "".join(_without_runs(_PIECE.findall(text), still_fails))
        text = "".join(_without_runs(list(text), still_fails))
        text = "".join(_plainer(_PIECE.findall(text), still_fails))
        if text == before or budget[0] <= 0:
            return text


def _without_runs(pieces: list[str], fails: Callable[[str], bool]) -> list[str]:
    length = len(pieces)
    while length:
        at = 0
        while at < len(pieces):
            candidate = pieces[:at] + pieces[at + length :]
            if fails("".join(candidate)):
                pieces = candidate
            else:
                at += length
        length //= 2
    return pieces


def _plainer(pieces: list[str], fails: Callable[[str], bool]) -> list[str]:
    for at, piece in enumerate(pieces):
        for plain in PLAIN:
            if len(plain) < len(piece) or (len(piece) == 1 and piece.isspace() and piece != " " == plain):
                candidate = [*pieces[:at], plain, *pieces[at + 1 :]]
                if fails("".join(candidate)):
                    pieces = candidate
                    break
    return pieces
