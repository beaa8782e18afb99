"""The conditions of `test`, `[` and `[[`: a shell may evaluate what they compare."""

from __future__ import annotations

from collections.abc import Sequence

from toolaudit.patterns import late
from toolaudit.shell.reading import Word
from toolaudit.shell.readonly.words import RUNTIME

COMPARISONS = frozenset({"-eq", "-ne", "-lt", "-le", "-gt", "-ge"})

_NUMBER = late(r"-?[0-9]+")
_LETTERS = late(r"-[A-Za-z]+")
_BINARY = late(r"=|==|!=|=~|-[A-Za-z]+")
_GLOB = late(r"[*?\[]")


def subscripts(words: Sequence[str]) -> str | None:
    """A shell's own `test` evaluates subscripts, and the operands of numeric comparisons."""
    for index, word in enumerate(words):
        if "[" in word or word == RUNTIME:
            return f"{word} may hold a subscript"
        if word == "-t" and not (words[index + 1 :] and words[index + 1].isdecimal()):
            return "the operand of -t is no number"
        if word in COMPARISONS:
            operands = (*words[max(index - 1, 0) : index], *words[index + 1 : index + 2])
            if not all(operand.isdecimal() for operand in operands):
                return f"an operand of {word} is no number"
    return None


def conditions(argv: Sequence[Word]) -> str | None:
    """`[ … ]` and `[[ … ]]`: no variables, no unquoted globs, only numbers compared as numbers."""
    if argv[0].text == "[" and not _is_condition([word.text for word in argv[1:]]):
        return "not a condition of the simplest form"
    for index, word in enumerate(argv):
        if word.features & {"variable", "command-substitution", "arithmetic"}:
            return f"{word.text} is only known at run time"
        if index and word.value is None and _GLOB.search(word.text):
            return f"{word.text} is a glob pattern"
        after = argv[min(index + 1, len(argv) - 1)]
        if word.value in COMPARISONS and not (_is_number(argv[index - 1]) and _is_number(after)):
            return f"an operand of {word.text} is no number"
        if word.value == "-t" and not (_is_number(after) or after is argv[-1]):
            return "the operand of -t is no number"
    return None


def _is_number(word: Word) -> bool:
    return _NUMBER.fullmatch(word.value or "") is not None


def _is_condition(texts: Sequence[str]) -> bool:
    """Whether this is one word, or two compared; an option before the first is a test of it, a `!` negates it."""
    if not texts or texts[-1] != "]":
        return False
    tests = list(texts[:-1])
    while tests and tests[0] == "!":
        del tests[0]
    if len(tests) > 1 and _LETTERS.fullmatch(tests[0]):
        del tests[0]
    return len(tests) < 2 or (len(tests) == 3 and _BINARY.fullmatch(tests[1]) is not None)
