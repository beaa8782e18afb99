"""Commands and scripts by a grammar of bash, spaced, quoted, continued and nested in odd ways.

Most of what comes out is valid; some is not quite, on purpose: what bash makes of `if ls fi` is worth knowing too.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import repeat

from toolaudit.fuzz import vocabulary
from toolaudit.fuzz.chance import Chance

_PIECES = vocabulary.sections()
_SUBSTITUTIONS = vocabulary.pairs(_PIECES["around substitutions"])
_FUNCTIONS = vocabulary.pairs(_PIECES["around functions"])
_COMMON = _PIECES["programs"][:8]
_WORD_LISTS = tuple(_PIECES[name] for name in ("plain-words", "plain-words", "quoted-words", "expansions"))

DEPTHS = (1, 2, 2, 3)


def script(chance: Chance) -> str:
    """A statement or a few, at times with one or two twists: a piece put in where it hardly belongs."""
    text = statement(chance, chance.choose(DEPTHS))
    if chance.happens(35):
        for _ in repeat(None, chance.choose((1, 1, 2))):
            text = twist(chance, text)
    return text


def twist(chance: Chance, text: str) -> str:
    at = chance.position(len(text))
    return text[:at] + chance.choose(_PIECES["twists"]) + text[at:]


def statement(chance: Chance, depth: int) -> str:
    """One of the grammar's statements, with at most `depth` levels of others in it."""
    if depth <= 0:
        return simple(chance, 0)
    return chance.choose(STATEMENTS)(chance, depth)


def simple(chance: Chance, depth: int) -> str:
    """Assignments and redirections, a name, some words."""
    pieces = []
    if chance.happens(20):
        for _ in repeat(None, chance.choose((1, 1, 2))):
            pieces += [chance.choose(_PIECES["prefixes"]), chance.choose(_PIECES["blanks"])]
    pieces.append(chance.choose(_name_list(chance)))
    for _ in repeat(None, chance.choose((0, 1, 1, 2, 2, 3))):
        pieces += [chance.choose(_PIECES["blanks"]), word(chance, depth)]
    return "".join(pieces)


def word(chance: Chance, depth: int) -> str:
    if depth > 0 and chance.happens(18):
        opening, closing = chance.choose(_SUBSTITUTIONS)
        return opening + statement(chance, depth - 1) + closing
    first = chance.choose(chance.choose(_WORD_LISTS))
    return first + chance.choose(chance.choose(_WORD_LISTS)) if chance.happens(12) else first


def _name_list(chance: Chance) -> tuple[str, ...]:
    if chance.happens(60):
        return _COMMON
    return _PIECES["programs"] if chance.happens(75) else _PIECES["builtins"]


def _and_or(chance: Chance, depth: int) -> str:
    return statement(chance, depth - 1) + chance.choose(_PIECES["and-or"]) + statement(chance, depth - 1)


def _sequence(chance: Chance, depth: int) -> str:
    return statement(chance, depth - 1) + chance.choose(_PIECES["separators"]) + statement(chance, depth - 1)


def _subshell(chance: Chance, depth: int) -> str:
    opening, closing = chance.choose(_PIECES["opening-subshell"]), chance.choose(_PIECES["closing-subshell"])
    return opening + statement(chance, depth - 1) + closing


def _group(chance: Chance, depth: int) -> str:
    opening, closing = chance.choose(_PIECES["opening-group"]), chance.choose(_PIECES["closing-group"])
    return opening + statement(chance, depth - 1) + closing


def _if(chance: Chance, depth: int) -> str:
    condition, body = statement(chance, depth - 1), statement(chance, depth - 1)
    return "".join(
        (chance.choose(_PIECES["if"]), condition, chance.choose(_PIECES["then"]), body, chance.choose(_PIECES["fi"]))
    )


def _loop(chance: Chance, depth: int) -> str:
    return chance.choose(_PIECES["loops"]) + statement(chance, depth - 1) + chance.choose(_PIECES["done"])


def _case(chance: Chance, depth: int) -> str:
    return chance.choose(_PIECES["cases"]) + statement(chance, depth - 1) + chance.choose(_PIECES["esac"])


def _prefixed(chance: Chance, depth: int) -> str:
    return chance.choose(_PIECES["pipeline-prefixes"]) + statement(chance, depth - 1)


def _function(chance: Chance, depth: int) -> str:
    opening, closing = chance.choose(_FUNCTIONS)
    return opening + statement(chance, depth - 1) + closing


def _redirected(chance: Chance, depth: int) -> str:
    return statement(chance, depth - 1) + chance.choose(_PIECES["redirections"])


def _with_heredoc(chance: Chance, depth: int) -> str:
    return statement(chance, depth - 1) + chance.choose(_PIECES["heredocs"])


def _test(chance: Chance, depth: int) -> str:
    return chance.choose(_PIECES["tests"])


def _declaration(chance: Chance, depth: int) -> str:
    return chance.choose(_PIECES["declarations"])


_WEIGHTS: tuple[tuple[Callable[[Chance, int], str], int], ...] = (
    (simple, 10),
    (_and_or, 7),
    (_sequence, 6),
    (_redirected, 5),
    (_subshell, 3),
    (_group, 3),
    (_if, 3),
    (_loop, 3),
    (_case, 2),
    (_with_heredoc, 3),
    (_test, 2),
    (_declaration, 2),
    (_prefixed, 2),
    (_function, 1),
)
STATEMENTS = tuple(production for production, weight in _WEIGHTS for _ in range(weight))
"""The productions, each as often as its weight says."""
