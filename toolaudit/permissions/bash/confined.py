"""What the sandbox lets run by itself: texts whose commands can do no more than the sandbox contains.

Paths, hazards of writing and directory changes do not count: the sandbox sees to them. What counts is whether a command
could pass on settings that reach further, as variables do, or start what nobody can tell from its words.

A text the client looks into must hold only such commands. A text it does not look into may run where nothing but plain
commands in a row, with expansions among their arguments, made it look away (measured, in every construct).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from toolaudit.patterns import late
from toolaudit.permissions.bash import hazards, programs, refusals, writing
from toolaudit.permissions.bash.parts import NESTING, PREFIXES, Part
from toolaudit.permissions.bash.variables import STAYING_VARIABLES, safely_set, steers_shell
from toolaudit.shell import Reading, Redirect, Shape, SimpleCommand, Word
from toolaudit.shell.wrappers import SEEN_BY_DENY, TRANSPARENT
from toolaudit.structs import replace

DD_OPERANDS = frozenset("bs cbs conv count ibs if iflag obs of oflag seek skip status".split())
INTERPRETERS = frozenset("bun deno node perl python python3 ruby".split())
"""Programs whose arguments are taken for code where a blank stands before the equals sign."""

ROW = frozenset({"list", "pipeline", "background", "negation"})
"""The constructs that put plain commands in a row."""

KNOWN = frozenset({"double-quote", "escape", "glob", "single-quote", "tilde"})
"""What a word may hold whose value can still be seen."""

UNSEEN_PROGRAMS = (
    programs.EVALUATORS
    | programs.ZSH_BUILTINS
    | programs.STARTERS
    | (TRANSPARENT.keys() - {"xargs"})
    | frozenset(
        """
        [ [[ awk compgen declare env exec export fc float gawk integer jq local mawk nawk readonly rm rmdir typeset
        unset
        """.split()
    )
)
"""Programs that may not stand in a text the client does not look into; a wrapper stands here without its command."""

STATIC_ARGUMENTS = frozenset({"find", "jobs", "print", "set"})
"""Programs whose arguments must be known there."""

_UNSEEN_BASES = frozenset({"rm", "rmdir"})
_PLAIN_PROGRAM = late(r"[A-Za-z0-9_./~+][A-Za-z0-9_./~+-]*")
_PLAIN_ASSIGNED = late(r"[^\s\"'\\$`*?\[\]{}()<>|&;]*")
_QUOTED_VARIABLE = late(r'"\$(?:[A-Za-z_]\w*|\{[A-Za-z_]\w*\})"')
_ZSH_COMMAND = late(r"=[A-Za-z_]")
_DEEP_EXPANSION = late(r"\$\{![^}]|\$\{[^}]*\$\(")
"""A variable named by a variable, or a nested command inside braces."""

_ENV_TEXT = late(r"-[CS]|--(?:chdir|split-string)")
_HERE = ("<<", "<<-")
_EXPANDED = late(r"[$`]|\\\n")
_PIPED_ON = late(r"(?:\|[^|&;<>#()]+)+")
_NETWORK = ("/dev/tcp/", "/dev/udp/")


def see_through(reading: Reading) -> Reading | None:
    """The reading without subshells and here-documents, which change nothing; None where one of them hides something.

    A here-document hides nothing where the shell changes nothing in it and only a pipe follows on its line. A reading
    that has neither is returned as it is.
    """
    if not any("subshell" in command.context or command.redirects for command in reading.commands):
        return reading
    source = reading.text.encode("utf-8", "surrogatepass")
    before: SimpleCommand | None = None
    commands: list[SimpleCommand] = []
    for command in reading.commands:
        if "subshell" in command.context:
            separator = source[before.span[1] : command.span[0]].strip() if before is not None else None
            if not command.argv or separator in (b"", b";"):
                return None
        before = command if "subshell" in command.context else None
        here = [redirect for redirect in command.redirects if redirect.operator in _HERE]
        if here and not NESTING.intersection(command.context):
            if not all(_is_inert(redirect, source) for redirect in here):
                return None
            command = replace(command, redirects=tuple(item for item in command.redirects if item not in here))
        if "subshell" in command.context:
            command = replace(command, context=tuple(place for place in command.context if place != "subshell"))
        commands.append(command)
    return replace(reading, commands=tuple(commands))


def _is_inert(redirect: Redirect, source: bytes) -> bool:
    start, end = redirect.span
    quoted = any(mark in source[start:end] for mark in (b"'", b'"', b"\\"))
    body = redirect.target.text
    if (not quoted and _EXPANDED.search(body)) or writing.BRACED_QUOTE.search(body):
        return False
    rest = source[end:].partition(b"\n")[0].strip()
    return not rest or _PIPED_ON.fullmatch(rest.decode("utf-8", "surrogatepass")) is not None


def harmless(part: Part) -> bool:
    """Whether a command the client looks into reaches no further than the sandbox lets it."""
    redirects, assignments = part.command.redirects, part.command.assignments
    if redirects and assignments and redirects[0].span[0] < assignments[0].span[0]:
        return False
    if any((redirect.target.value or "").startswith(_NETWORK) for redirect in redirects):
        return False
    if not part.words:
        return True
    words = _beyond_env(part.words)
    if hazards.execution(words) is not None:
        return False
    if words[0].value == "env" and any(_ENV_TEXT.match(word.text) for word in words[1:]):
        return False
    first, *arguments = part.command.argv
    if not part.safe or "=" in first.text or any(_is_named_directory(word) for word in arguments):
        return False
    return not any(_passes_on(word, words[0].value) for word in arguments)


def _is_named_directory(word: Word) -> bool:
    """Whether a word begins with a tilde and a name, which only the shell knows the directory of."""
    text = word.value if word.value is not None else word.text
    return text.startswith("~") and text[1:2] not in ("", "/")


def _passes_on(word: Word, program: str | None) -> bool:
    """Whether a word could set a variable for a program."""
    text = word.value if word.value is not None else word.text
    name, equals, value = text.partition("=")
    if not equals or text.startswith("-"):
        return False
    if KNOWN.issuperset(word.features) and safely_set(name, value):
        return False
    if program == "dd" and name in DD_OPERANDS:
        return False
    return not (program in INTERPRETERS and len(name.split()) > 1)


def row(reading: Reading, parts: Sequence[Part]) -> bool:
    """Whether a readable text the client does not look into is plain commands in a row, with what expands in them."""
    stated = tuple(part for part in parts if not part.nested)
    if refusals.refuse(reading, stated, refusals.PROGRAM_CHECKS) is not None:
        return False
    if any(redirect.operator in _HERE for command in reading.commands for redirect in command.redirects):
        return False
    commands = [command for command in reading.commands if not NESTING.intersection(command.context)]
    return all(map(_stands_in_row, commands)) and all(map(_is_plain, stated)) and not _knows_all(commands)


def _stands_in_row(command: SimpleCommand) -> bool:
    if not ROW.union(PREFIXES).issuperset(command.context) or writing.swallows(command):
        return False
    for assignment in command.assignments:
        if not _plainly_set(assignment.name, assignment.value.text if assignment.value is not None else ""):
            return False
    targets = [redirect.target for redirect in command.redirects]
    if any(map(_misleads, (*command.argv, *targets))) or any(item.operator == "<>" for item in command.redirects):
        return False
    if not command.argv:
        known = all(target.value is not None for target in targets)
        return known and len(command.assignments) + bool(targets) <= 1
    return not targets or command.redirects[0].span[0] > command.argv[0].span[0]


def _knows_all(commands: Sequence[SimpleCommand]) -> bool:
    """Whether the text itself sets every variable it uses, and one it may not: so far the client does look into it."""
    assigned = {item.name for command in commands if not command.argv for item in command.assignments}
    words = [word for command in commands for word in command.argv if not KNOWN.issuperset(word.features)]
    if STAYING_VARIABLES.issuperset(assigned) or not words:
        return False
    return all(word.text.strip('"').removeprefix("$") in assigned for word in words)


def _is_plain(part: Part) -> bool:
    if not part.words:
        return True
    words = _beyond_plain_env(part.words)
    program = words[0].text
    if _PLAIN_PROGRAM.fullmatch(program) is None or program in UNSEEN_PROGRAMS or _base(words[0]) in _UNSEEN_BASES:
        return False
    if program == "printf" and any("ansi-c" in word.features for word in words):
        return False
    return program not in STATIC_ARGUMENTS or _is_static(program, words)


def _misleads(word: Word) -> bool:
    text = word.text
    return (
        writing.misleading(word) is not None
        or text == "="
        or (text.startswith("=") and _ZSH_COMMAND.match(text) is not None)
        or _DEEP_EXPANSION.search(text) is not None
    )


def _plainly_set(name: str, value: str) -> bool:
    return not steers_shell(name) and "[" not in name and _PLAIN_ASSIGNED.fullmatch(value) is not None


def _is_static(program: str, words: Sequence[Word]) -> bool:
    """Whether the arguments are known; what follows an option of `find` may be one variable in quotes."""
    for before, word in pairwise(words):
        quoted = _QUOTED_VARIABLE.fullmatch(word.text) is not None
        known = word.shape is Shape.STATIC and "ansi-c" not in word.features
        if not known and not (program == "find" and quoted and before.text.startswith("-")):
            return False
    return hazards.hazard(words) is None


def _beyond_env(words: Sequence[Word]) -> Sequence[Word]:
    """The words of the program that `env` starts, as far as `env` is read."""
    start = SEEN_BY_DENY["env"].start(words) if words[0].value == "env" else None
    return words if start is None else words[start:]


def _beyond_plain_env(words: Sequence[Word]) -> Sequence[Word]:
    """The same, through options and assignments that are plainly written; `words` unchanged where they are not."""
    if words[0].value != "env":
        return words
    at = 1
    while at < len(words):
        text = words[at].text
        name, equals, value = text.partition("=")
        if text == "-u":
            at += 2
        elif text in ("-i", "-v") or (equals and not text.startswith("-") and _plainly_set(name, value)):
            at += 1
        else:
            break
    return words[at:] if at < len(words) and not words[at].text.startswith("-") else words


def _base(word: Word) -> str | None:
    return word.value.rpartition("/")[2] if word.value is not None else None
