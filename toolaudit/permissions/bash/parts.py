from __future__ import annotations

from dataclasses import dataclass

from toolaudit.shell.reading import Reading, SimpleCommand, Word
from toolaudit.shell.wrappers import TRANSPARENT

SAFE_VARIABLES = frozenset(
    """
    ANTHROPIC_API_KEY BLOCKSIZE BLOCK_SIZE CGO_ENABLED CHARSET CI CLICOLOR CLICOLOR_FORCE COLORTERM FORCE_COLOR
    GCC_COLORS GIT_TERMINAL_PROMPT GO111MODULE GOARCH GOEXPERIMENT GOOS GREP_COLOR GREP_COLORS LANGUAGE LC_TIME LSCOLORS
    LS_COLORS NODE_ENV NO_COLOR PYTEST_DEBUG PYTEST_DISABLE_PLUGIN_AUTOLOAD PYTHONDONTWRITEBYTECODE PYTHONUNBUFFERED
    RUST_BACKTRACE RUST_LOG TERM TIME_STYLE TZ
    """.split()
)
"""Variables whose assignment before a command allow rules and read-only checks look through (measured by name)."""

MAX_WRAPPERS = 8


@dataclass(frozen=True, slots=True)
class Part:
    """One subcommand as rules see it."""

    command: SimpleCommand
    words: tuple[Word, ...]
    """Program and arguments after safe assignments and transparent wrappers."""
    wrappers: tuple[str, ...]
    """The transparent wrappers taken off, outermost first; `xargs` stays on."""
    safe: bool
    """No assignment stands before it but safe ones."""

    @property
    def program(self) -> str | None:
        return self.words[0].value if self.words else None

    @property
    def text(self) -> str:
        return self.command.text

    @property
    def nested(self) -> bool:
        """Whether the command stands inside a substitution, and so is not itself one of the text's statements."""
        return any(place in NESTING for place in self.command.context)


NESTING = frozenset({"command-substitution", "process-substitution"})
PREFIXES = frozenset({"time", "command", "builtin", "exec"})


def parts_of(reading: Reading) -> tuple[Part, ...]:
    """The subcommands of a text, in its order; a redirection alone is one without words, a bare assignment is none.

    What a prefix such as `time` starts is listed by the reader a second time; it belongs to the prefix's own part. So
    does the `cat` of `"$(cat <<'EOF' …)"`, which only spells a text out, to the word it stands in.
    """
    return tuple(
        _part(command)
        for command in reading.commands
        if (command.argv or command.redirects)
        and not (command.context and (command.context[-1] in PREFIXES or _spells_out(command)))
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
    safe = all(_is_safe(assignment.name, assignment.operator, assignment.value) for assignment in command.assignments)
    while words and len(wrappers) < MAX_WRAPPERS and (name := words[0].value) in TRANSPARENT and name is not None:
        if name == "xargs":
            # Its command has operands that only run time knows: rules look through it, other checks do not.
            break
        start = TRANSPARENT[name].start(words)
        if start is None:
            break
        wrappers.append(name)
        words = words[start:]
    return Part(command, words, tuple(wrappers), safe)


def _is_safe(name: str, operator: str, value: Word | None) -> bool:
    return operator == "=" and name in SAFE_VARIABLES and value is not None
