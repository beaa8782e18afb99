from __future__ import annotations

from toolaudit.permissions.bash.variables import safely_set
from toolaudit.permissions.bash.writing import spelled_out
from toolaudit.shell.reading import Assignment, Reading, SimpleCommand, Word
from toolaudit.shell.wrappers import TRANSPARENT
from toolaudit.structs import Struct

MAX_WRAPPERS = 8


class Part(Struct):
    """One subcommand as rules see it."""

    command: SimpleCommand
    words: tuple[Word, ...]
    """Program and arguments after safe assignments and transparent wrappers."""
    wrappers: tuple[str, ...]
    """The transparent wrappers taken off, outermost first; `xargs` stays on."""
    safe: bool
    """No assignment stands before it but safe ones."""
    program: str | None
    """What the first of the words names, where that is plainly written."""

    @property
    def text(self) -> str:
        return self.command.text

    @property
    def nested(self) -> bool:
        """Whether the command stands inside a substitution, and so is not itself one of the text's statements."""
        return any(place in NESTING for place in self.command.context)


NESTING = frozenset({"command-substitution", "process-substitution"})
PREFIXES = frozenset({"time", "command", "builtin", "exec"})
STARTED = PREFIXES | {"coproc"}
"""What the reader calls the place of a command that another starts, which it lists as well."""


def parts_of(reading: Reading) -> tuple[Part, ...]:
    """The subcommands of a text, in its order; a redirection alone is one without words, a bare assignment is none.

    What a prefix such as `time` starts is listed by the reader a second time; it belongs to the prefix's own part. So
    does the `cat` of `"$(cat <<'EOF' …)"`, which only spells a text out, to the word it stands in.
    """
    return tuple(
        [
            _part(command)
            for command in reading.commands
            if (command.argv or command.redirects)
            and not (command.context and (command.context[-1] in STARTED or _spells_out(command)))
        ]
    )


def _spells_out(command: SimpleCommand) -> bool:
    return (
        command.context[-1] == "command-substitution"
        and len(command.argv) == 1
        and command.argv[0].text == "cat"
        and [redirect.operator for redirect in command.redirects] == ["<<"]
    )


def _part(command: SimpleCommand) -> Part:
    words = command.argv
    wrappers: list[str] = []
    safe = all(map(_is_safe, command.assignments))
    while words and len(wrappers) < MAX_WRAPPERS and (name := words[0].value) in TRANSPARENT and name is not None:
        if name == "xargs":
            # Its command has operands that only run time knows: rules look through it, other checks do not.
            break
        start = TRANSPARENT[name].start(words)
        if start is None:
            break
        wrappers.append(name)
        words = words[start:]
    spelled = tuple(map(spelled_out, words))
    return Part(command, spelled, tuple(wrappers), safe, spelled[0].value if spelled else None)


def _is_safe(assignment: Assignment) -> bool:
    value = assignment.value.value if assignment.value is not None else ""
    return assignment.operator == "=" and value is not None and safely_set(assignment.name, value)
