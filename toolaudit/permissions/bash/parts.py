from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from toolaudit.rules.commands import collapse_blanks
from toolaudit.shell.reading import Reading, Shape, SimpleCommand, Word
from toolaudit.shell.wrappers import OPAQUE, SEEN_BY_DENY, TRANSPARENT

SAFE_VARIABLES = frozenset(
    """
    ANTHROPIC_API_KEY BLOCKSIZE BLOCK_SIZE CGO_ENABLED CHARSET CI CLICOLOR CLICOLOR_FORCE COLORTERM FORCE_COLOR
    GCC_COLORS GIT_TERMINAL_PROMPT GO111MODULE GOARCH GOEXPERIMENT GOOS GREP_COLOR GREP_COLORS LANGUAGE LC_TIME LSCOLORS
    LS_COLORS NODE_ENV NO_COLOR PYTEST_DEBUG PYTEST_DISABLE_PLUGIN_AUTOLOAD PYTHONDONTWRITEBYTECODE PYTHONUNBUFFERED
    RUST_BACKTRACE RUST_LOG TERM TIME_STYLE TZ
    """.split()
)
"""Variables whose assignment before a command allow rules and read-only checks look through (measured by name)."""

_SAFE_VALUE = re.compile(r"[A-Za-z0-9_./:-]+")
_MAX_WRAPPERS = 8


@dataclass(frozen=True, slots=True)
class Part:
    """One subcommand as rules see it."""

    command: SimpleCommand
    words: tuple[Word, ...]
    """Program and arguments after safe assignments and transparent wrappers."""
    wrappers: tuple[str, ...]
    """The transparent wrappers taken off, outermost first."""
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
    """The subcommands of a text, in its order. A bare assignment or redirection is none.

    What a prefix such as `time` starts is listed by the reader a second time; it belongs to the prefix's own part. So
    does the `cat` of `"$(cat <<'EOF' …)"`, which only spells a text out, to the word it stands in.
    """
    return tuple(
        _part(command)
        for command in reading.commands
        if command.argv and not (command.context and (command.context[-1] in PREFIXES or _spells_out(command)))
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
    while len(wrappers) < _MAX_WRAPPERS and (name := words[0].value) is not None and name in TRANSPARENT:
        start = TRANSPARENT[name].start(words)
        if start is None:
            break
        wrappers.append(name)
        words = words[start:]
    return Part(command, words, tuple(wrappers), safe)


def _is_safe(name: str, operator: str, value: Word | None) -> bool:
    return operator == "=" and name in SAFE_VARIABLES and value is not None


def allow_texts(part: Part) -> Iterator[tuple[str, str]]:
    """The spellings an allow rule may match, as (source slice, blanks collapsed), outermost first.

    Redirections are cut out, but nothing matches where one comes first; assignments are looked through when every one
    is safe and plainly written; the program's name counts without its quotes.
    """
    command = part.command
    if command.redirects and command.redirects[0].span[0] < command.argv[0].span[0]:
        return
    if command.assignments:
        assigned = " ".join(_slice(command, a.span) for a in command.assignments)
        yield f"{assigned} {_source(command, command.argv)}", f"{assigned} {_spelled(command.argv)}"
        if not part.safe or not all(a.value and _SAFE_VALUE.fullmatch(a.value.text) for a in command.assignments):
            return
    words = command.argv
    yield _source(command, words), _spelled(words)
    for name in part.wrappers:
        start = TRANSPARENT[name].start(words)
        assert start is not None
        words = words[start:]
        yield _source(command, words), _spelled(words)


def deny_texts(command: SimpleCommand) -> tuple[str, ...]:
    """Every spelling a deny or ask rule may match: quoted and not, through any wrapper, by base name (measured)."""
    texts: dict[str, None] = {}
    if command.assignments:
        assigned = " ".join(_slice(command, a.span) for a in command.assignments)
        texts[f"{assigned} {_spelled(command.argv)}"] = None
    words: Sequence[Word] = command.argv
    for _ in range(_MAX_WRAPPERS):
        texts[_spelled(words)] = None
        texts[_unquoted(words)] = None
        start = _started(words)
        if start is None:
            break
        words = words[start:]
    if words and words[0].value and "/" in words[0].value:
        base = words[0].value.rpartition("/")[2]
        texts[" ".join([base, *filter(None, (_value(word) for word in words[1:]))])] = None
    return tuple(texts)


def whole_texts(text: str, reading: Reading) -> tuple[str, ...]:
    """The spellings of a whole command text that a deny or ask rule may match: as written, and pipes spaced evenly."""
    texts = {text.strip(): None, collapse_blanks(text): None}
    stages = [command.argv for command in reading.commands if command.argv and command.context == ("pipeline",)]
    if len(stages) > 1 and len(stages) == len(reading.commands):
        texts[" | ".join(map(_unquoted, stages))] = None
        texts[" | ".join(map(_spelled, stages))] = None
    return tuple(texts)


def _started(words: Sequence[Word]) -> int | None:
    name = words[0].value if words else None
    if name is None:
        return None
    name = name.rpartition("/")[2]
    wrapper = TRANSPARENT.get(name) or SEEN_BY_DENY.get(name) or OPAQUE.get(name)
    return wrapper.start(words) if wrapper else None


def _slice(command: SimpleCommand, span: tuple[int, int]) -> str:
    start = command.span[0]
    return command.text.encode("utf-8", "surrogatepass")[span[0] - start : span[1] - start].decode(
        "utf-8", "surrogatepass"
    )


def _source(command: SimpleCommand, words: Sequence[Word]) -> str:
    """From the first of `words` to the last as written, redirections between them cut out."""
    if len(words) == len(command.argv) and not command.redirects and not command.assignments:
        return command.text.strip()
    start, end = words[0].span[0], words[-1].span[1]
    pieces, at = [], start
    for redirect in command.redirects:
        if start <= redirect.span[0] < end:
            pieces.append(_slice(command, (at, redirect.span[0])))
            at = redirect.span[1]
    pieces.append(_slice(command, (at, end)))
    return "".join(pieces)


def _spelled(words: Sequence[Word]) -> str:
    return " ".join([words[0].value or words[0].text, *(word.text for word in words[1:])])


def _unquoted(words: Sequence[Word]) -> str:
    return " ".join(filter(None, (_value(word) for word in words)))


def _value(word: Word) -> str | None:
    """What a deny rule sees of a word: an unquoted variable may be nothing; any other unknown stays as written."""
    if word.value is not None:
        return word.value
    if word.shape is Shape.MANY and word.features <= {"variable", "expansion"} and word.text.startswith("$"):
        return None
    return word.text
