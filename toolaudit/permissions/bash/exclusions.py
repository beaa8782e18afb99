"""Which commands `sandbox.excludedCommands` keeps out of the sandbox.

An entry is written like the text in `Bash(...)`. The client keeps a text out only where it can tell what runs: every
command must match an entry, by itself, written plainly, and start no other program it knows of.
Sources: documents, 11.3, which say that one matching command is enough; measured otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from toolaudit.patterns import late
from toolaudit.permissions.bash import programs, refusals
from toolaudit.permissions.bash.parts import MAX_WRAPPERS, PREFIXES, Part
from toolaudit.permissions.bash.spellings import allow_texts
from toolaudit.permissions.bash.variables import STAYING_VARIABLES, safely_set
from toolaudit.rules.commands import CommandPattern, collapse_blanks, compile_specifier
from toolaudit.shell import Assignment, Reading, Redirect, SimpleCommand, Word
from toolaudit.shell.wrappers import SEEN_BY_DENY, TRANSPARENT

PLACES = frozenset({"list", "pipeline", "background", "negation", "time"})
"""The constructs a command may stand in."""

CLOSED_WRAPPERS = frozenset({"builtin", "command", "noglob", "xargs"})
"""Wrappers that are not looked through here."""

PLAIN = frozenset({"variable", "expansion", "glob", "tilde", "escape", "single-quote", "double-quote", "continuation"})
"""What the words of a command may hold."""

BUILTINS = (
    programs.EVALUATORS
    | programs.ZSH_BUILTINS
    | frozenset(
        """
        [ [[ builtin cd command compgen declare export fc float getopts integer local noglob popd print pushd read
        readonly set shift typeset unset zparseopts
        """.split()
    )
)
"""Builtins that act on the shell itself, or run what their arguments say."""

STARTERS = programs.STARTERS | frozenset(
    """
    awk bun busybox chroot deno doas gawk gsed mawk nawk pkexec powershell runuser sed su sudo toybox xargs
    """.split()
)
"""Programs that start others or run a program given as text."""

SHELLS = frozenset("ash bash cmd csh dash fish ksh mksh pwsh sh tcsh zsh".split())
INTERPRETERS = frozenset("lua node perl php python ruby".split())
"""Programs that run what they are given, by name without version: kept out only with a script's name."""

SHELL_FLAGS = frozenset({"-", "-c", "-s"})
CODE_FLAGS = SHELL_FLAGS | {"-e", "-p", "-r"}
GIT_OPTIONS = ("--exec", "--open-files-in-pager", "--receive-pack", "--upload-pack", "-O")
GIT_STARTERS = frozenset({("bisect", "run"), ("submodule", "foreach")})
GIT_HARMLESS = frozenset({"--no-pager", "--paginate", "-p"})

_VERSION = late(r"[\d.]+\Z")


@lru_cache(maxsize=256)
def _patterns(entries: tuple[str, ...]) -> tuple[CommandPattern, ...]:
    return tuple(compile_specifier(entry.strip()) for entry in entries if entry.strip())


def excluded(reading: Reading, parts: Sequence[Part], entries: tuple[str, ...]) -> bool:
    """Whether the client runs the text outside the sandbox because of `entries`."""
    patterns = _patterns(entries)
    if not patterns or not parts or refusals.refuse(reading, tuple(parts), refusals.TEXT_CHECKS) is not None:
        return False
    return all(map(_is_open, reading.commands)) and all(_matches(part, patterns) for part in parts)


def _is_open(command: SimpleCommand) -> bool:
    """Whether nothing about the command but its words can do anything."""
    if not PLACES.union(PREFIXES).issuperset(command.context) or not all(map(_copies, command.redirects)):
        return False
    if command.argv:
        return True
    values = [assignment.value for assignment in command.assignments]
    return all(assignment.name in STAYING_VARIABLES for assignment in command.assignments) and all(
        value is None or value.value is not None for value in values
    )


def _copies(redirect: Redirect) -> bool:
    """Whether a redirection only makes one descriptor the copy of another, as in `2>&1`."""
    return redirect.operator == ">&" and (redirect.target.value or "").isdigit()


def _matches(part: Part, patterns: Sequence[CommandPattern]) -> bool:
    command = part.command
    if not part.safe or not part.words or not all(map(_is_plain, command.argv)):
        return False
    if CLOSED_WRAPPERS.intersection(part.wrappers) or not all(map(_is_written_out, command.assignments)):
        return False
    words = _beyond_env(part)
    if words is None or not _is_known(words):
        return False
    texts = [spelling for spellings in allow_texts(part) for spelling in spellings]
    if len(words) < len(part.words):
        texts.append(" ".join(word.text for word in words))
    return any(
        pattern.matches(text if pattern.exact else collapse_blanks(text)) for text in texts for pattern in patterns
    )


def _is_written_out(assignment: Assignment) -> bool:
    return assignment.value is None or assignment.value.text == assignment.value.value


def _is_plain(word: Word) -> bool:
    return (
        PLAIN.issuperset(word.features)
        and "${!" not in word.text
        and not word.text.startswith("=")
        and ("$" not in word.text or "$" in word.text.rstrip("$"))
    )


def _beyond_env(part: Part) -> Sequence[Word] | None:
    """The words of the program that runs in the end; None where `env` says more than is read."""
    words: Sequence[Word] = part.words
    for _ in range(MAX_WRAPPERS):
        name = words[0].value or ""
        wrapper = SEEN_BY_DENY["env"] if name == "env" else TRANSPARENT.get(name)
        start = wrapper.start(words) if wrapper is not None and name not in CLOSED_WRAPPERS else None
        if start is None:
            break
        if name == "env" and not all(map(_is_harmless, words[1:start])):
            return None
        words = words[start:]
    return words


def _is_harmless(word: Word) -> bool:
    """Whether an option or assignment of `env` leaves the program as it is."""
    name, equals, value = word.text.partition("=")
    return safely_set(name, value) if equals else not word.text.startswith(("-C", "-S"))


def _is_known(words: Sequence[Word]) -> bool:
    """Whether the program is written plainly and its words start no other that the client knows of."""
    name = words[0].text
    if words[0].features or name.startswith("-") or "=" in name:
        return False
    if name in TRANSPARENT or name == "env":
        return False
    base = name.rpartition("/")[2]
    plain = _VERSION.sub("", base)
    if base in BUILTINS or plain in STARTERS:
        return False
    if plain in SHELLS or plain in INTERPRETERS:
        flags = SHELL_FLAGS if plain in SHELLS else CODE_FLAGS
        return len(words) > 1 and words[1].value not in flags
    check = CHECKS.get(base)
    return check is None or check([word.value or word.text for word in words[1:]])


def _git(arguments: Sequence[str]) -> bool:
    at = next((at for at, argument in enumerate(arguments) if argument not in GIT_HARMLESS), 0)
    rest = arguments[at:]
    if rest[:1] and rest[0].startswith("-"):
        return False
    return tuple(rest[:2]) not in GIT_STARTERS and not any(argument.startswith(GIT_OPTIONS) for argument in rest)


def _docker(arguments: Sequence[str]) -> bool:
    return not (arguments and arguments[0].startswith("-"))


def _printf(arguments: Sequence[str]) -> bool:
    return not (arguments and arguments[0].startswith("-v"))


def _jobs(arguments: Sequence[str]) -> bool:
    return "-x" not in arguments


CHECKS: Mapping[str, Callable[[Sequence[str]], bool]] = MappingProxyType(
    {"git": _git, "docker": _docker, "printf": _printf, "jobs": _jobs}
)
"""Programs that are kept out with some arguments only."""
