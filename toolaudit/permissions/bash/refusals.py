"""What the client says it can't check before it runs: such a command is never allowed part by part.

The reader may understand more than the client looks into; this module says which of the understood shapes the client
refuses all the same. Only the whole text can allow a refused command: a bare `Bash` rule, or a rule that spells it out.
Every row is measured.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from types import MappingProxyType

from toolaudit.patterns import late
from toolaudit.permissions.bash import programs, writing
from toolaudit.permissions.bash.hazards import execution
from toolaudit.permissions.bash.parts import STARTED, Part
from toolaudit.shell.reading import Reading, SimpleCommand
from toolaudit.structs import replace

MAX_LENGTH = 10_000
"""Characters; the client's own parser gives up beyond this (documents, 2.5.3; measured)."""

CONTEXTS: Mapping[str, str] = MappingProxyType(
    {
        "subshell": "a subshell",
        "group": "a group in braces",
        "case": "a case statement",
        "function": "a function definition",
        "process-substitution": "a command used as a file",
        "select": "a select loop",
        "c-for": "a counting for loop",
        "arithmetic-command": "a group in double parentheses",
    }
)
"""Constructs whose commands are seen by deny rules only."""

COMPOUNDS = frozenset({"for", "if", "while"})
"""Constructs the client looks into."""

_UNICODE_BLANK = late("[\u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff]")
_GLUED_CONTINUATION = late(r"(?:\A|[^ \t\\])(?:\\\\)*\\\n")

_JOINTS = frozenset({b"&&", b"||", b"|", b"|&"})
_BLANKS = frozenset({b" ", b"\t"})

Check = Callable[[Reading, tuple[Part, ...]], str | None]


def refuse(reading: Reading, parts: tuple[Part, ...], checks: tuple[Check, ...] | None = None) -> str | None:
    """Why the client will not look into this command, or None where it will; `checks` are all of them by default."""
    for check in CHECKS if checks is None else checks:
        why = check(reading, parts)
        if why is not None:
            return why
    return None


def _length(reading: Reading, parts: tuple[Part, ...]) -> str | None:
    return f"the command is longer than {MAX_LENGTH} characters" if len(reading.text) > MAX_LENGTH else None


def _blanks(reading: Reading, parts: tuple[Part, ...]) -> str | None:
    found = not reading.text.isascii() and _UNICODE_BLANK.search(reading.text)
    return "the command holds Unicode white space" if found else None


def _continuations(reading: Reading, parts: tuple[Part, ...]) -> str | None:
    if "\\\n" in reading.text and _GLUED_CONTINUATION.search(writing.QUOTED.sub("", reading.text)):
        return "a continued line without a blank before it can't be checked"
    return None


def _unreadable(reading: Reading, parts: tuple[Part, ...]) -> str | None:
    complexity = reading.complexity
    return f"the command can't be read: {complexity.reason}" if complexity is not None and not reading.exact else None


def _substitutions(reading: Reading, parts: tuple[Part, ...]) -> str | None:
    """What the client refuses inside `$( )`: a redirection alone, and statements parted by a semicolon."""
    source = reading.text.encode("utf-8", "surrogatepass")
    before: SimpleCommand | None = None
    for command in reading.commands:
        if "command-substitution" in command.context:
            if not command.argv and command.redirects:
                return "a redirection alone can't be checked before it runs"
            if before is not None and parted(source, before, command):
                return "several statements in a nested command can't be checked before it runs"
            before = command
    return None


def _exports(command: SimpleCommand) -> bool:
    return command.argv[0].value == "export" and any("=" in word.text for word in command.argv[1:])


def parted(source: bytes, before: SimpleCommand, command: SimpleCommand) -> bool:
    """Whether a semicolon is all that stands between two commands of a text."""
    return source[before.span[1] : command.span[0]].strip() == b";"


def context(reading: Reading, parts: tuple[Part, ...]) -> str | None:
    """What the client refuses for the construct a command stands in."""
    looped = False
    for command in reading.commands:
        for place in command.context:
            if place in CONTEXTS:
                return f"{CONTEXTS[place]} can't be checked before it runs"
        if not command.argv:
            looped = looped or "for" in command.context
            if command.text.startswith("select "):
                return f"{CONTEXTS['select']} can't be checked before it runs"
            if command.redirects and COMPOUNDS.intersection(command.context) and _ends_construct(command, reading):
                return "a redirection of a compound command can't be checked before it runs"
            if len(command.assignments) > 1 and not COMPOUNDS.intersection(command.context):
                return "several assignments in one command can't be checked before it runs"
        elif command.argv[0].text.startswith("(("):
            return f"{CONTEXTS['arithmetic-command']} can't be checked before it runs"
        elif "for" in command.context and not looped:
            return "a loop without a list of words can't be checked before it runs"
    return None


def _ends_construct(command: SimpleCommand, reading: Reading) -> bool:
    """Whether redirections alone are those of a whole construct, and stand behind its last word."""
    before = reading.text.encode("utf-8", "surrogatepass")[: command.span[0]].rstrip()
    return not command.assignments and before.endswith((b"fi", b"done"))


def piped_variables(reading: Reading, parts: tuple[Part, ...]) -> str | None:
    """A variable that a pipeline sets, or a loop in one; the paths of such a text the client checks all the same."""
    for command in reading.commands:
        sets = _exports(command) if command.argv else bool(command.assignments)
        if sets and "pipeline" in command.context:
            return "a variable set in a pipeline can't be checked before it runs"
    return None


def one_subshell(reading: Reading) -> bool:
    """Whether the subshells of a text are one, of commands that `&&`, `||` and pipes join: the client looks into it for
    deny rules (measured)."""
    inside = [
        command for command in reading.commands if "subshell" in command.context and command.context[-1] not in STARTED
    ]
    source = reading.text.encode("utf-8", "surrogatepass")
    joined = (
        not (COMPOUNDS.isdisjoint(one.context) or COMPOUNDS.isdisjoint(other.context))
        or _is_joint(source[one.span[1] : other.span[0]].strip())
        for one, other in pairwise(inside)
    )
    return bool(inside) and all(one.context.count("subshell") == 1 for one in inside) and all(joined)


def _is_joint(gap: bytes) -> bool:
    """Whether what stands between two commands joins them, beside the words of a construct."""
    return any(gap.startswith(joint) or gap.endswith(joint) for joint in _JOINTS)


def sees_paths(reading: Reading, parts: tuple[Part, ...]) -> bool:
    """Whether the client checks the paths of a text that it refuses: for its programs, or for how variables are set.

    A subshell does not hide them where a program is refused, too (measured).
    """
    if refuse(reading, parts, WRITING_CHECKS) is None:
        return True
    if not one_subshell(reading):
        return False
    commands = [
        replace(command, context=tuple([place for place in command.context if place != "subshell"]))
        for command in reading.commands
    ]
    opened = replace(reading, commands=tuple(commands))
    if refuse(opened, parts, WRITING_CHECKS) is not None:
        return False
    evaluates = reading.complexity is not None or any(execution(part.words) for part in parts if part.words)
    return evaluates or refuse(opened, parts) is not None


def _words(reading: Reading, parts: tuple[Part, ...]) -> str | None:
    source = reading.text.encode("utf-8", "surrogatepass")
    for command in reading.commands:
        if command.redirects and (
            writing.swallows(command) or _commented(command, source) or _hides_text(command, source)
        ):
            return "words behind a redirection can't be checked"
        if "=" in [word.text for word in command.argv[1:]] and command.argv[0].text not in ("[", "[["):
            return "a lone equals sign can't be parsed"
        for word in command.argv:
            why = writing.refused(word)
            if why is not None:
                return why
        for redirect in command.redirects:
            why = writing.redirected(redirect, source)
            if why is not None:
                return why
        for assignment in command.assignments:
            if assignment.value is not None:
                why = writing.assigned(assignment.value)
                if why is not None:
                    return why
    return None


def _commented(command: SimpleCommand, source: bytes) -> bool:
    """Whether a comment follows the last redirection: the client takes it for words."""
    last = command.redirects[-1]
    ends = last.span[1] == command.span[1] and not last.operator.startswith("<<")
    return (
        ends
        and source[last.span[1] : last.span[1] + 1] in _BLANKS
        and source[last.span[1] :].lstrip(b" \t")[:1] == b"#"
    )


def _hides_text(command: SimpleCommand, source: bytes) -> bool:
    """Whether a here-string stands behind another redirection, or has a descriptor: the client's parser stops there."""
    for at, redirect in enumerate(command.redirects):
        if redirect.operator == "<<<":
            before = command.redirects[:at]
            return not source.startswith(b"<<<", redirect.span[0]) or any(one.operator[:2] != "<<" for one in before)
    return False


def _hidden_lines(reading: Reading, parts: tuple[Part, ...]) -> str | None:
    if "\n" not in reading.text:
        return None
    for command in reading.commands:
        targets = [redirect.target for redirect in command.redirects if redirect.operator not in ("<<", "<<-")]
        values = [assignment.value for assignment in command.assignments if assignment.value is not None]
        if any(map(writing.hides_lines, (*command.argv, *targets, *values))):
            return "a line that begins with # inside quotes can hide arguments"
    return None


def _programs(reading: Reading, parts: tuple[Part, ...]) -> str | None:
    return programs.refused(parts)


TEXT_CHECKS: tuple[Check, ...] = (_length, _blanks, _continuations, _unreadable)
CONSTRUCT_CHECKS: tuple[Check, ...] = (context, _substitutions)
WORD_CHECKS: tuple[Check, ...] = (_words,)
PROGRAM_CHECKS: tuple[Check, ...] = (_programs,)
WRITING_CHECKS: tuple[Check, ...] = (*TEXT_CHECKS, *CONSTRUCT_CHECKS, *WORD_CHECKS)
"""Those behind which the client sees no path."""
CHECKS: tuple[Check, ...] = (*WRITING_CHECKS, piped_variables, _hidden_lines, *PROGRAM_CHECKS)
