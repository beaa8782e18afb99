"""The two shapes of `sed` that the client understands: printing lines, and one plain substitution.

Sources: documents, 2.5.3; every limit measured.
"""

from __future__ import annotations

from collections.abc import Sequence

from toolaudit.patterns import late
from toolaudit.shell.reading import Word

PRINT_FLAGS = frozenset("-n --quiet --silent -E -r -z --regexp-extended --zero-terminated --posix".split())
QUIET_FLAGS = frozenset("-n --quiet --silent".split())
EDIT_FLAGS = frozenset("-i --in-place -E -r --regexp-extended".split())

_LETTERS = late(r"-[A-Za-z]+")
_PRINT = late(r"(?:\d+(?:,\d+)?)?p(?:;(?:\d+(?:,\d+)?)?p)*")
_SUBSTITUTION = late(
    r"s/(?:[^/\\;{}!#\n\x80-\U0010ffff]|\\[^/\n])*/(?:[^/\\;{}!#\n\x80-\U0010ffff]|\\[^/\n])*/([A-Za-z0-9]*)"
)
_SUBSTITUTION_FLAGS = late(r"[gpimIM]*[1-9]?[gpimIM]*")


def is_print(words: Sequence[Word]) -> bool:
    """Whether this is `sed -n`, by any spelling, with a script that only prints lines by number."""
    flags, operands = _split(words, PRINT_FLAGS)
    if flags is None or not QUIET_FLAGS.intersection(flags) or not operands:
        return False
    return operands[0].value is not None and _PRINT.fullmatch(operands[0].value) is not None


def is_substitution(words: Sequence[Word]) -> bool:
    """Whether this is one `s/…/…/` with harmless flags; with operands it writes to them, or could with `-i`."""
    flags, operands = _split(words, EDIT_FLAGS)
    if flags is None or not operands or operands[0].value is None:
        return False
    if any(word.value is None or " " in word.value for word in operands[1:]):
        return False
    match = _SUBSTITUTION.fullmatch(operands[0].value)
    return match is not None and _SUBSTITUTION_FLAGS.fullmatch(match[1]) is not None


def files(words: Sequence[Word]) -> Sequence[Word]:
    """The operands after the script, when the script is one."""
    return _split(words, PRINT_FLAGS | EDIT_FLAGS)[1][1:]


def _split(words: Sequence[Word], known: frozenset[str]) -> tuple[set[str] | None, list[Word]]:
    """The options, combined letters taken apart, and the operands; no options where one is not in `known`."""
    flags: set[str] | None = set()
    operands: list[Word] = []
    for word in words[1:]:
        text = word.value if word.value is not None else word.text
        if not text.startswith("-") or text == "-":
            operands.append(word)
        elif text != "--" and flags is not None:
            letters = {f"-{letter}" for letter in text[1:]} if _LETTERS.fullmatch(text) else {text}
            flags = flags | letters if letters <= known else None
    return flags, operands
