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
from toolaudit.permissions.bash import refusals
from toolaudit.permissions.bash.parts import PREFIXES, Part
from toolaudit.permissions.bash.spellings import allow_texts
from toolaudit.permissions.bash.variables import STAYING_VARIABLES
from toolaudit.rules.commands import CommandPattern, collapse_blanks, compile_specifier
from toolaudit.shell import Reading, Redirect, SimpleCommand, Word
from toolaudit.shell.wrappers import OPAQUE, SEEN_BY_DENY, TRANSPARENT

PLACES = frozenset({"list", "pipeline", "background", "negation", "time"})
"""The constructs a command may stand in."""

PLAIN = frozenset({"variable", "expansion", "glob", "tilde", "escape", "single-quote", "double-quote", "continuation"})
"""What the words of a command may hold."""

BUILTINS = (
    refusals.EVALUATORS
    | refusals.ZSH_BUILTINS
    | frozenset(
        """
        [ [[ builtin cd command compgen declare export fc float getopts integer local noglob popd print pushd read
        readonly set shift typeset unset
        """.split()
    )
)
"""Builtins that act on the shell itself, or run what their arguments say."""

STARTERS = frozenset(OPAQUE.keys() | SEEN_BY_DENY.keys() | TRANSPARENT.keys() | {"nsenter"}) | frozenset(
    "awk bun busybox chroot deno gawk gsed mawk nawk pkexec powershell runuser sed su toybox xargs".split()
)
"""Programs that start others or run a program given as text; a wrapper stands here without its command."""

INTERPRETERS = frozenset("ash bash cmd csh dash fish ksh lua mksh node perl php pwsh python ruby sh tcsh zsh".split())
"""Programs that run what they are given, by name without version: kept out only with a script's name."""

CODE_FLAGS = frozenset({"-", "-c", "-e", "-p", "-r", "-s"})
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
    words = _beyond_env(part)
    if words is None or not _is_known(words):
        return False
    texts = [spelling for spellings in allow_texts(part) for spelling in spellings]
    if len(words) < len(part.words):
        texts.append(" ".join(word.text for word in words))
    return any(
        pattern.matches(text if pattern.exact else collapse_blanks(text)) for text in texts for pattern in patterns
    )


def _is_plain(word: Word) -> bool:
    return (
        PLAIN.issuperset(word.features)
        and "${!" not in word.text
        and not word.text.startswith("=")
        and ("$" not in word.text or "$" in word.text.rstrip("$"))
    )


def _beyond_env(part: Part) -> Sequence[Word] | None:
    """The words of the program that runs in the end; None where `env` says more than is read."""
    words = part.words
    if words[0].value != "env":
        return words
    start = SEEN_BY_DENY["env"].start(words)
    if start is None or any("=" in word.text or word.text.startswith(("-C", "-S")) for word in words[1:start]):
        return None
    return words[start:]


def _is_known(words: Sequence[Word]) -> bool:
    """Whether the program is written plainly and its words start no other that the client knows of."""
    name = words[0].text
    if words[0].value != name or name.startswith("-") or words[0].features:
        return False
    base = name.rpartition("/")[2]
    plain = _VERSION.sub("", base)
    if base in BUILTINS or base in STARTERS or plain in STARTERS:
        return False
    if plain in INTERPRETERS:
        return len(words) > 1 and words[1].value not in CODE_FLAGS
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
