"""A command held against its entry in the table of read-only programs."""

from __future__ import annotations

from collections.abc import Sequence

from toolaudit.patterns import late
from toolaudit.shell.reading import Word
from toolaudit.shell.readonly.grammar import Anything, Exactly, Flags, Kind
from toolaudit.shell.readonly.programs import PROGRAMS, SUBCOMMANDS
from toolaudit.shell.readonly.words import RUNTIME, known

_USER_HOME = late(r"~[^/]")
_LONGEST_SUBCOMMAND = 2
_NUMBER = late(r"[0-9]+")
_COUNT = late(r"-[0-9]+")
_ATTACHED_COUNT = late(r"(-[A-Za-z])[0-9]+")
_BUNDLE = late(r"-[A-Za-z0-9]{2,}")
_SORT_KEY = late(r"-[A-Za-z]")


def read_only(argv: Sequence[Word]) -> str | None:
    """None where the client takes the command for read-only, else a short reason why not.

    `argv` is what is left after assignments and wrappers; it has at least one word.
    """
    name = argv[0].value
    if name is None:
        return "the program is only known at run time"
    entry: Anything | Exactly | Flags | None
    if name in SUBCOMMANDS:
        entry, skip = _subcommand(name, argv)
        if entry is None:
            return f"{name} has no such read-only subcommand"
    else:
        entry, skip = PROGRAMS.get(name), 1
        if entry is None:
            return f"{name} is not known to be read-only"
    if any(_USER_HOME.match(word.text) and "tilde" in word.features for word in argv):
        return "the home directory of another user"
    match entry:
        case Anything():
            return _anything(entry, argv)
        case Exactly():
            return _exactly(entry, argv)
        case Flags():
            return _flags(entry, argv[skip:])


def unchecked_option(argv: Sequence[Word]) -> str | None:
    """Why a command that passes for its unquoted glob would be refused without it; None where it would not."""
    entry = PROGRAMS.get(argv[0].value or "")
    if not isinstance(entry, Flags) or not entry.globs or not any("glob" in word.features for word in argv):
        return None
    return _options(entry, [word.value for word in argv[1:] if word.value is not None])


def _subcommand(name: str, argv: Sequence[Word]) -> tuple[Anything | Exactly | Flags | None, int]:
    """The entry with the most words that the command begins with, and how many words that is."""
    table = SUBCOMMANDS[name]
    for count in range(min(_LONGEST_SUBCOMMAND, len(argv) - 1), 0, -1):
        words = [word.value or "" for word in argv[1 : 1 + count]]
        entry = table.get(" ".join(words)) if all(words) else None
        if entry is not None:
            return entry, 1 + count
    return None, 1


def _anything(entry: Anything, argv: Sequence[Word]) -> str | None:
    if not entry.globs and any("glob" in word.features for word in argv):
        return "an unquoted glob may expand to an option"
    return entry.refusal(argv) if entry.refusal is not None else None


def _exactly(entry: Exactly, argv: Sequence[Word]) -> str | None:
    if any("glob" in word.features for word in argv):
        return "an unquoted glob may expand to anything"
    if entry.pattern.fullmatch(" ".join(word.text for word in argv)) is None:
        return "these arguments are not known to be read-only"
    return None


def _flags(entry: Flags, arguments: Sequence[Word]) -> str | None:
    if any("glob" in word.features for word in arguments):
        return None if entry.globs else "an unquoted glob may expand to an option"
    values: list[str] = []
    for word in arguments:
        value = known(word)
        if value is None:
            value = RUNTIME
        elif "$" in value or "`" in value or ("{" in value and ("," in value or ".." in value)):
            return f"{word.text} holds what a shell may expand"
        if not entry.newlines and "\n" in value:
            return "a line break in an argument"
        values.append(value)
    why = _options(entry, values)
    if why is None and entry.refusal is not None:
        return entry.refusal(values)
    return why


def _options(entry: Flags, values: Sequence[str]) -> str | None:
    """Why an option or its value is refused."""
    kinds = entry.kinds
    at = 0
    while at < len(values):
        text = values[at]
        at += 1
        if text == "--":
            if entry.terminator:
                return "an operand is only known at run time" if RUNTIME in values[at:] else None
            continue
        if len(text) < 2 or not text.startswith("-"):
            if text == RUNTIME:
                return "an operand is only known at run time"
            if entry.first_operand_ends:
                return None
            continue
        flag, equals, value = text.partition("=")
        kind = kinds.get(flag)
        if kind is None:
            if not _is_shorthand(entry, flag):
                return f"{flag} is not an option known to be read-only"
            continue
        if kind is Kind.NONE:
            if equals:
                return f"{flag} takes no value"
            continue
        if not equals:
            if at >= len(values):
                return f"{flag} lacks its value"
            value = values[at]
            at += 1
        if not _fits(kind, flag, value, equals):
            return f"{value!r} is not a value of {flag} known to be read-only"
    return None


def _is_shorthand(entry: Flags, text: str) -> bool:
    """Whether `text` is several options without a value in one word, or carries a count."""
    if entry.counts and _COUNT.fullmatch(text):
        return True
    if entry.attached and (match := _ATTACHED_COUNT.fullmatch(text)):
        return entry.kinds.get(match[1], Kind.NONE) is not Kind.NONE
    return _BUNDLE.fullmatch(text) is not None and all(
        entry.kinds.get(f"-{letter}") is Kind.NONE for letter in text[1:]
    )


def _fits(kind: Kind, flag: str, value: str, equals: str) -> bool:
    match kind:
        case Kind.NUMBER:
            return _NUMBER.fullmatch(value) is not None
        case Kind.TEXT:
            return not value.startswith("-")
        case Kind.SORT_KEY:
            return not value.startswith("-") or (bool(equals) and _SORT_KEY.match(value) is not None)
        case Kind.CHARACTER:
            return len(value) == 1
        case Kind.BRACES:
            return value == "{}"
        case Kind.END_MARK:
            return value == "EOF"
        case Kind.FORMAT:
            return _is_format(value)
        case Kind.NONE:
            return False


_FORMATS = frozenset(("", "oneline", "short", "medium", "full", "fuller", "email", "raw"))


def _is_format(value: str) -> bool:
    """Whether a format of git names a built-in one or spells one out, and asks for no signature check (`%G`)."""
    if "%G" in value or value.startswith("-"):
        return False
    return value in _FORMATS or "%" in value or value.startswith(("format:", "tformat:"))
