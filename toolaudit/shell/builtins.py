"""Builtins that run or evaluate their arguments, and which of their uses are harmless all the same.

Each check looks at one builtin's words and answers whether bash could evaluate one of them as code, as an arithmetic
expression or as a subscript (`a[$(id)]` runs `id` in either).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from toolaudit.patterns import late
from toolaudit.shell import assignments
from toolaudit.shell.reading import Shape, Word
from toolaudit.shell.state import State
from toolaudit.shell.variables import is_sensitive

EVALUATING = frozenset(". alias bind compgen complete compopt enable eval fc let source".split())
"""Run text or files, or change what names mean, whatever their arguments."""

PREFIXES = frozenset(("builtin", "command", "exec"))
"""Builtins that run the command their arguments name."""

NAME = late(r"[A-Za-z_][A-Za-z0-9_]*")
DECLARATION = late(r"([A-Za-z_][A-Za-z0-9_]*)(?:\+?=(.*))?", re.DOTALL)
DECLARE_OPTIONS = late(r"[-+][aAfFgprtuxl]+|--")
VARIABLE = late(r'"?\$(?:([A-Za-z_][A-Za-z0-9_]*)|\{([A-Za-z_][A-Za-z0-9_]*)\})"?')
SAFE_START = late(r"""["']?[A-Za-z0-9_%./:=@+,^ #]""")
"""Source text of a word that can't begin with a dash, whatever it expands to."""

SAFE_SET_LETTERS = late(r"[-+][abefhuvxBCE]*o?")
SAFE_SET_NAMES = frozenset(
    "allexport braceexpand errexit errtrace hashall noclobber noglob nounset pipefail verbose xtrace".split()
)
SAFE_SHOPT_NAMES = frozenset(
    "checkwinsize dotglob failglob globstar inherit_errexit lastpipe nocaseglob nocasematch nullglob".split()
)


def check(state: State, argv: Sequence[Word]) -> int:
    """Note what the builtin `argv[0]`, one of `CHECKED`, evaluates; the index of the command word it starts, or 0."""
    name = argv[0].value or ""
    if name in PREFIXES:
        return _check_prefix(state, name, argv)
    if name in EVALUATING or not CHECKS[name](state, argv[1:]):
        state.evaluates("evaluating-builtin", name, (argv[0].span[0], argv[-1].span[1]))
    return 0


def _check_prefix(state: State, name: str, argv: Sequence[Word]) -> int:
    index = 1
    while index < len(argv) and (value := argv[index].value) is not None and value.startswith("-"):
        if name == "command" and value in ("-v", "-V", "-pv", "-pV"):
            return 0
        if value not in ("-p", "--") or (name != "command" and value == "-p"):
            state.evaluates("evaluating-builtin", name, argv[index].span)
            return 0
        index += 1
        if value == "--":
            break
    return index if index < len(argv) else 0


def _static(words: Iterable[Word]) -> bool:
    return all(word.value is not None for word in words)


def _names(state: State, words: Iterable[Word]) -> bool:
    """Whether each word is a plain variable name; each is noted as set to something unknown."""
    for word in words:
        if word.value is None or not NAME.fullmatch(word.value):
            return False
        state.unknown_values.add(word.value)
        if is_sensitive(word.value):
            return False
    return True


def _may_be_option(word: Word) -> bool:
    if word.value is not None:
        return word.value.startswith("-")
    return word.shape is Shape.MANY or not SAFE_START.match(word.text)


def _options(words: Sequence[Word], flags: str, valued: str) -> tuple[dict[str, Word | None], Sequence[Word]] | None:
    """Options as getopt reads them, and the operands; None where an option is unknown or can't be told from a value."""
    found: dict[str, Word | None] = {}
    rest = list(words)
    while rest and _may_be_option(rest[0]):
        value = rest.pop(0).value
        if value is None:
            return None
        if value in ("-", "--"):
            break
        for index, letter in enumerate(value[1:], 1):
            if letter in flags:
                found[letter] = None
            elif letter in valued and index == len(value) - 1 and rest and rest[0].shape is not Shape.MANY:
                found[letter] = rest.pop(0)
            elif letter in valued and index < len(value) - 1:
                found[letter] = Word(value[index + 1 :], Shape.STATIC, value[index + 1 :], (0, 0))
                break
            else:
                return None
    return found, rest


def _trap(state: State, words: Sequence[Word]) -> bool:
    return _static(words) and (not words or words[0].value in ("", "-", "-l", "-p"))


def _declare(state: State, words: Sequence[Word]) -> bool:
    """Attributes -i (arithmetic) and -n (another variable's name) are evaluated later on, a list in a value at once."""
    letters = ""
    operands = list(words)
    while operands and (value := operands[0].value) is not None and DECLARE_OPTIONS.fullmatch(value):
        letters += operands.pop(0).value or ""
    is_array = "a" in letters or "A" in letters
    for word in operands:
        declared = DECLARATION.fullmatch(word.text if word.value is None else word.value)
        if declared is None:
            return False
        name, value = declared.groups()
        if is_array:
            state.arrays.add(name)
        if "array" not in word.features and ((is_array and word.value is None) or (value or "").startswith("(")):
            return False
        if not assignments.START.match(word.text) and is_sensitive(name, value):
            return False
    return True


def _unset(state: State, words: Sequence[Word]) -> bool:
    operands = [word for word in words if word.value not in ("-v", "-f", "--")]
    return _names(state, operands)


def _read(state: State, words: Sequence[Word]) -> bool:
    parsed = _options(words, "ers", "adinNptu")
    if parsed is None:
        return False
    options, operands = parsed
    arrays = [word for letter, word in options.items() if letter == "a" and word is not None]
    state.arrays.update(word.value for word in arrays if word.value is not None)
    return _names(state, [*arrays, *operands])


def _mapfile(state: State, words: Sequence[Word]) -> bool:
    parsed = _options(words, "t", "dnOsu")
    if parsed is None:
        return False
    state.arrays.add("MAPFILE")
    state.arrays.update(word.value for word in parsed[1] if word.value is not None)
    return _names(state, parsed[1])


def _printf(state: State, words: Sequence[Word]) -> bool:
    if not words or not _may_be_option(words[0]) or words[0].value == "--":
        return True
    return words[0].value == "-v" and len(words) > 1 and _names(state, words[1:2])


def _test(state: State, words: Sequence[Word]) -> bool:
    """Only `-v` and `-R` evaluate, and only the word behind them: `a[$(id)]` there runs `id`.

    A word not known may turn out to be either. So none may stand before another such word, or before a subscript.
    """
    unknown = False
    for word in words:
        value = word.value
        if value in ("-v", "-R") or (unknown and (value is None or "[" in value)):
            return False
        if word.shape is Shape.MANY and not _is_numeric_variable(state, word):
            return False
        unknown = value is None
    return True


def _bracket(state: State, words: Sequence[Word]) -> bool:
    if words and words[-1].value == "]":
        return _test(state, words[:-1])
    return _test(state, words)


def _wait(state: State, words: Sequence[Word]) -> bool:
    return all(
        word.value == "-n"
        or (word.value is not None and not word.value.startswith("-"))
        or word.text.strip('"') in ("$!", "$$")
        or _is_numeric_variable(state, word)
        for word in words
    )


def _is_numeric_variable(state: State, word: Word) -> bool:
    """Whether the word is a variable and nothing else; it is noted as one that must hold a number."""
    variable = VARIABLE.fullmatch(word.text)
    if variable is None:
        return False
    state.uses_number(variable[1] or variable[2], "word", word.span)
    return True


def _set(state: State, words: Sequence[Word]) -> bool:
    rest = list(words)
    while rest:
        value = rest.pop(0).value
        if value is None:
            return False
        if value == "--" or value[:1] not in ("-", "+"):
            return True
        if not SAFE_SET_LETTERS.fullmatch(value):
            return False
        if value.endswith("o") and (not rest or rest.pop(0).value not in SAFE_SET_NAMES):
            return False
    return True


def _shopt(state: State, words: Sequence[Word]) -> bool:
    return all(word.value in SAFE_SHOPT_NAMES or word.value in ("-s", "-u", "-q", "-p") for word in words)


def _getopts(state: State, words: Sequence[Word]) -> bool:
    return len(words) > 1 and _static(words[:1]) and _names(state, words[1:2])


def _hash(state: State, words: Sequence[Word]) -> bool:
    return all(word.value is not None and (word.value == "-r" or not word.value.startswith("-")) for word in words)


def _jobs(state: State, words: Sequence[Word]) -> bool:
    return all(word.value is not None and "x" not in word.value for word in words)


Check = Callable[[State, Sequence[Word]], bool]

CHECKS: dict[str, Check] = {
    "[": _bracket,
    "declare": _declare,
    "export": _declare,
    "getopts": _getopts,
    "hash": _hash,
    "jobs": _jobs,
    "local": _declare,
    "mapfile": _mapfile,
    "printf": _printf,
    "read": _read,
    "readarray": _mapfile,
    "readonly": _declare,
    "set": _set,
    "shopt": _shopt,
    "test": _test,
    "trap": _trap,
    "typeset": _declare,
    "unset": _unset,
    "wait": _wait,
}

CHECKED = EVALUATING | PREFIXES | CHECKS.keys()
"""All names whose words matter."""
