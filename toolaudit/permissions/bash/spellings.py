"""How a command may be spelled where a rule is compared with it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Final

from toolaudit.model.versions import NEWEST, Difference, Version
from toolaudit.model.workspace import Workspace
from toolaudit.patterns import late
from toolaudit.permissions.bash.parts import MAX_WRAPPERS, Part
from toolaudit.permissions.bash.values import told
from toolaudit.rules.commands import collapse_blanks
from toolaudit.shell import Reading, Shape, SimpleCommand, Word
from toolaudit.shell.wrappers import OPAQUE, SEEN_BY_DENY, TRANSPARENT, Wrapper
from toolaudit.structs import replace

TEXT_OPTIONS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "env": frozenset({"-S", "--split-string"}),
        "flock": frozenset({"-c", "--command"}),
        "script": frozenset({"-c", "--command"}),
    }
)
"""Wrappers that take a whole command as one word -> the options it follows."""

_WRAPPERS: Final[Mapping[str, Wrapper]] = {
    **OPAQUE,
    **SEEN_BY_DENY,
    **TRANSPARENT,
    "env": replace(SEEN_BY_DENY["env"], flags=late(r"-.*", re.DOTALL)),
}
"""Wrappers as deny and ask rules see through them: `env` with any option."""

_PLAIN_VALUE = late(r"[^\s*?\[\]{}~]+")
_SAFE_VALUE = late(r"[A-Za-z0-9_./:-]+")


def allow_texts(part: Part) -> Iterator[tuple[str, str]]:
    """The spellings an allow rule may match, as (source slice, blanks collapsed), outermost first.

    Redirections are cut out, but nothing matches where one comes first; assignments are looked through when every one
    is safe and plainly written; the program's name counts without its quotes.
    """
    command = part.command
    if not command.argv or command.argv[0].value is None:
        return
    if begins_with_redirect(command):
        return
    if command.assignments:
        assigned = " ".join(_slice(command, a.span) for a in command.assignments)
        yield f"{assigned} {_source(command, command.argv)}", f"{assigned} {spelled(command.argv)}"
        if not part.safe or not all(a.value and _SAFE_VALUE.fullmatch(a.value.text) for a in command.assignments):
            return
    words = command.argv
    yield _source(command, words), spelled(words)
    for _ in range(MAX_WRAPPERS):
        wrapper = TRANSPARENT.get(words[0].value or "")
        start = wrapper.start(words) if wrapper is not None else None
        if start is None:
            break
        words = words[start:]
        yield _source(command, words), spelled(words)


def values_of(reading: Reading, workspace: Workspace | None = None) -> dict[str, str]:
    """The variables of which plain words can be told; the home directory's among them with a `workspace`."""
    if "$" not in reading.text:
        return {}
    return {name: value for name, value in told(reading, workspace).items() if _PLAIN_VALUE.fullmatch(value)}


def deny_texts(
    command: SimpleCommand, values: Mapping[str, str] = MappingProxyType({}), version: Version = NEWEST
) -> tuple[str, ...]:
    """Every spelling a deny or ask rule may match: quoted and not, through any wrapper, by base name (measured).

    Of wrappers that allow rules do not look through, one behind the other, only the first is seen (measured: a rule for
    `sudo` is blind to `env sudo x`). `values` are variables that can be told.
    """
    if not version.has(Difference.DENY_SKIPS_REDIRECTS) and begins_with_redirect(command):
        return ()
    unquoted, by_base = version.has(Difference.DENY_SEES_UNQUOTED), version.has(Difference.DENY_SEES_BASE_NAME)
    texts: dict[str, None] = {}
    if command.assignments:
        assigned = " ".join(_slice(command, a.span) for a in command.assignments)
        texts[f"{assigned} {spelled(command.argv)}"] = None
    words: Sequence[Word] = command.argv
    transparent = True
    for _ in range(MAX_WRAPPERS):
        start = _started(words) if by_base or "/" not in words[0].text else None
        seen_through = words[0].value in TRANSPARENT
        if transparent or seen_through or start is None:
            texts[spelled(words)] = None
            texts[without_quotes(words, values) if unquoted else _filled_in(words, values)] = None
        inner = _inner_text(words)
        if inner is not None:
            texts[inner] = None
        if start is None:
            break
        transparent = seen_through
        words = words[start:]
    base = _base(words[0], values) if by_base and words else None
    if base is not None:
        texts[" ".join([base, *_values(words[1:], values)])] = None
    return tuple(texts)


def every_text(command: SimpleCommand, values: Mapping[str, str]) -> Iterator[str]:
    """Every spelling of every program that the words of `command` start, whether the client looks for it or not."""
    words: Sequence[Word] = command.argv
    for _ in range(MAX_WRAPPERS):
        if not words:
            return
        yield spelled(words)
        yield without_quotes(words, values)
        base = _base(words[0], values)
        if base is not None:
            yield " ".join([base, *_values(words[1:], values)])
        start = started(words)
        if start is None:
            return
        words = words[start:]


def started(words: Sequence[Word]) -> int | None:
    """Where the program that `words` start begins; the options of `xargs` are passed over."""
    if words[0].value == "xargs":
        return next((at for at, word in enumerate(words) if at and not word.text.startswith("-")), None)
    return _started(words)


def _base(word: Word, values: Mapping[str, str]) -> str | None:
    """The name of a program that is written with its path, whatever the path is."""
    text = word.value or _first(word, values)
    base = text.rpartition("/")[2] if "/" in text else ""
    return base if base and "$" not in base and "`" not in base else None


def _first(word: Word, values: Mapping[str, str]) -> str:
    """The word that names a program, as far as it can be told."""
    return word.value if word.value is not None else _value(word, values) or word.text.replace('"', "")


def _started(words: Sequence[Word]) -> int | None:
    name = words[0].value if words else None
    if name is None:
        return None
    wrapper = _WRAPPERS.get(name.rpartition("/")[2])
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


def spelled(words: Sequence[Word]) -> str:
    return " ".join([words[0].value or words[0].text, *[word.text for word in words[1:]]])


def without_quotes(words: Sequence[Word], values: Mapping[str, str] = MappingProxyType({})) -> str:
    return " ".join([_first(words[0], values), *_values(words[1:], values)])


def _filled_in(words: Sequence[Word], values: Mapping[str, str]) -> str:
    """The words as written, but for variables that the text sets itself."""
    return " ".join(values.get(word.text[1:], word.text) if word.text[:1] == "$" else word.text for word in words)


def begins_with_redirect(command: SimpleCommand) -> bool:
    return bool(command.redirects) and command.redirects[0].span[0] < command.argv[0].span[0]


def _inner_text(words: Sequence[Word]) -> str | None:
    """The command that a wrapper was given as one word, as in `env -S 'git push'` and `flock FILE -c 'git push'`."""
    options = TEXT_OPTIONS.get(words[0].value or "", ())
    for option, word in pairwise(words[1:]):
        if option.value in options:
            return collapse_blanks(word.value) if word.value is not None else None
    return None


def _values(words: Sequence[Word], values: Mapping[str, str]) -> list[str]:
    return [value for word in words if (value := _value(word, values))]


def _value(word: Word, values: Mapping[str, str]) -> str | None:
    """What a deny rule sees of a word: an unquoted variable may be nothing; any other unknown stays as written."""
    if "ansi-c" in word.features:
        return None
    if word.value is not None:
        return word.value
    name = word.text.strip('"')
    if name.startswith("$") and name[1:] in values:
        return values[name[1:]]
    if word.shape is Shape.MANY and word.features <= {"variable", "expansion"} and word.text.startswith("$"):
        return None
    return word.text
