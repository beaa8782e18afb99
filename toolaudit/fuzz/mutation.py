"""Commands without a grammar: tokens in any order, and known commands changed in a few places."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat

from toolaudit.fuzz import vocabulary
from toolaudit.fuzz.chance import Chance

TOKENS = vocabulary.sections()["tokens"]
TOKEN_COUNTS = tuple(range(2, 13))
CUTS = (1, 2, 3)
GRAFTS = tuple(range(1, 13))


def noise(chance: Chance) -> str:
    """Two to twelve tokens."""
    return "".join(chance.choose(TOKENS) for _ in repeat(None, chance.choose(TOKEN_COUNTS)))


def mutation(chance: Chance, base: Sequence[str]) -> str:
    """One of `base` with one to three changes: a token put in, characters cut, a piece of another put in."""
    text = chance.choose(base)
    for _ in repeat(None, chance.choose((1, 2, 3))):
        at = chance.position(len(text))
        kind = chance.choose(("token", "token", "token", "cut", "graft"))
        if kind == "token":
            text = text[:at] + chance.choose(TOKENS) + text[at:]
        elif kind == "cut":
            text = text[:at] + text[at + chance.choose(CUTS) :]
        else:
            other = chance.choose(base)
            start = chance.position(len(other))
            text = text[:at] + other[start : start + chance.choose(GRAFTS)] + text[at:]
    return text
