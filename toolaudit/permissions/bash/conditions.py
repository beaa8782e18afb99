"""The `if` of a hook, put to a command text.

The hook runs where the rule in its `if` matches a command of the text, and where the client can't tell: then the hook
has to look for itself. Unlike deny rules, the rule meets each command without its quotes, assignments and redirections,
and through no wrapper but a plain `xargs`. What a program does with its arguments is no matter here; a subshell is
looked into.

Of a text that is one command whose arguments are only known at run time, the name is known: a rule for all that a
program of one name does is compared with it.
Sources: documents, 10.2; every form measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from toolaudit.patterns import late
from toolaudit.permissions.bash import exclusions, programs, refusals, writing
from toolaudit.permissions.bash.mended import read_damaged, read_mended
from toolaudit.permissions.bash.parts import Part, parts_of
from toolaudit.permissions.bash.spellings import values_of
from toolaudit.rules.commands import CommandPattern, collapse_blanks
from toolaudit.shell import Reading, Shape, SimpleCommand, Word
from toolaudit.shell.wrappers import TRANSPARENT
from toolaudit.structs import replace

CLOSED_PROGRAMS = (
    programs.EVALUATORS
    | programs.ZSH_BUILTINS
    | programs.STARTERS
    | programs.TESTS
    | (programs.OPTIONS.keys() - {"cd"})
    | TRANSPARENT.keys()
    | (exclusions.STARTERS - {"sed", "gsed"})
    | exclusions.SHELLS
    | exclusions.INTERPRETERS
    | frozenset(
        """
        : break continue env exit expect find float getopts integer logout parallel print printf python3 read return
        screen shift tmux wait
        """.split()
    )
)
"""Programs of which more than the name must be known."""

BEFORE_WORDS = (*refusals.TEXT_CHECKS, *refusals.CONSTRUCT_CHECKS, refusals.piped_variables)

_PLAIN = frozenset({"command-substitution", "double-quote", "glob", "tilde", "variable"})
_VARIABLE = late(r"\$(?:\w+|[?@*#!$-])")
_OUTPUT = late(r"\w+=(?:\$\([^()]*\)|`[^`]*`)")
"""A variable that is exported with what a command prints."""

_EMPTY_GROUP = late(r"(?:\A|[;&|\n(]|\b(?:then|do|else))\s*\{\s+\}")
_PLACES = ((), ("background",))


def holds(pattern: CommandPattern, text: str) -> bool:
    """Whether a hook with `pattern` in its `if` runs for the command `text`."""
    mended = read_mended(text)
    reading = _filled_in(read_damaged(mended, quoted=False) or mended)
    parts = parts_of(reading)
    if _EMPTY_GROUP.search(text) or any(map(_selects, reading.commands)) or any(map(_is_open_test, parts)):
        return True
    if any("[" in assignment.name for command in reading.commands for assignment in command.assignments):
        return True
    opened = _opened(reading)
    if opened is None or refusals.refuse(opened, parts, BEFORE_WORDS) is not None:
        return True
    if any(_means_more(part) for part in parts):
        return True
    if refusals.refuse(reading, parts, refusals.WORD_CHECKS) is None:
        return any(pattern.matches(spelling) for part in parts for spelling in _spellings(part))
    names = _known_names(reading)
    prefix = pattern.parts[0].rstrip()
    if names is None or pattern.parts[1:] != ("",) or " " in prefix:
        return True
    return any(name == prefix if pattern.optional_tail else name.startswith(prefix) for name in names)


def _selects(command: SimpleCommand) -> bool:
    """Whether this is the head of a `select` loop."""
    return not command.argv and command.text.startswith("select")


def _is_open_test(part: Part) -> bool:
    """Whether `[` has no `]`, or one that its last operator takes for an operand."""
    if part.program != "[":
        return False
    *inner, last = [word.text for word in part.words]
    return last != "]" or inner[-1:] in (["-a"], ["-o"])


def _filled_in(reading: Reading) -> Reading:
    """The reading with words that are one variable replaced by what the text itself sets it to."""
    values = values_of(reading)
    if not values:
        return reading
    commands = (
        replace(command, argv=tuple(_known(word, values) for word in command.argv)) for command in reading.commands
    )
    return replace(reading, commands=tuple(commands))


def _known(word: Word, values: Mapping[str, str]) -> Word:
    value = values.get(word.text.strip('"')[1:]) if word.text.lstrip('"')[:1] == "$" else None
    return word if value is None else replace(word, shape=Shape.STATIC, value=value, text=value, features=frozenset())


def _opened(reading: Reading) -> Reading | None:
    """The reading without its subshells; None where one of them holds more than the client looks into."""
    if not any("subshell" in command.context for command in reading.commands):
        return reading
    source = reading.text.encode("utf-8", "surrogatepass")
    before: SimpleCommand | None = None
    commands: list[SimpleCommand] = []
    for command in reading.commands:
        if "subshell" in command.context:
            if before is not None and refusals.parted(source, before, command):
                return None
            if not command.argv or "background" in command.context:
                return None
        before = command if "subshell" in command.context else None
        commands.append(replace(command, context=tuple(place for place in command.context if place != "subshell")))
    return replace(reading, commands=tuple(commands))


def _means_more(part: Part) -> bool:
    """Whether the program is not known, or its options change what its operands mean."""
    if not part.words:
        return False
    name = part.program
    check = programs.OPTIONS.get(name or "")
    return name is None or name.startswith("((") or (check is not None and check(part.words) is not None)


def _spellings(part: Part) -> Iterator[str]:
    words: Sequence[Word] = part.command.argv
    if not words:
        return
    yield _spelled(words)
    if words[0].value == "xargs" and (start := TRANSPARENT["xargs"].start(words)) is not None:
        yield _spelled(words[start:])


def _spelled(words: Sequence[Word]) -> str:
    return collapse_blanks(" ".join(word.text if word.value is None else word.value for word in words))


def _known_names(reading: Reading) -> list[str] | None:
    """The programs of a text that is one command, those nested in it included; None where one of them is not plain."""
    outer = [command for command in reading.commands if "command-substitution" not in command.context]
    if len(outer) != 1 or outer[0].context not in _PLACES:
        return None
    names: list[str] = []
    return names if all(_is_plain(command, names) for command in reading.commands) else None


def _is_plain(command: SimpleCommand, names: list[str]) -> bool:
    if command.assignments or command.redirects or not command.argv or not _nests_only(command.context):
        return False
    name, *arguments = command.argv
    if name.text == "export":
        names.append(name.text)
        return all(_OUTPUT.fullmatch(word.text) is not None for word in arguments)
    if name.features or name.text in CLOSED_PROGRAMS:
        return False
    names.append(name.text)
    return all(map(_is_plain_argument, arguments))


def _nests_only(context: Sequence[str]) -> bool:
    return set(context) <= {"background", "command-substitution"}


def _is_plain_argument(word: Word) -> bool:
    if not _PLAIN.issuperset(word.features):
        return False
    known = "variable" not in word.features and "command-substitution" in word.features
    return known or _VARIABLE.fullmatch(word.text) is not None or writing.refused(word) is None
