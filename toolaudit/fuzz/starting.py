"""Which program another one starts, by the facts: read out of its arguments, and written into them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from toolaudit.fuzz.facts import Argv, Fact, about, base_name, first_operand

_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")
_HOLE = re.compile(r"\{(shell|words|argv|any)(?::([^}]*))?\}")


@dataclass(frozen=True, slots=True)
class Started:
    """What a program starts in turn: words, or text for a shell."""

    fact: Fact
    argv: Argv | None = None
    shell: str | None = None


def starts(argv: Argv) -> Iterator[Started]:
    """What the program of `argv` starts in turn, by each row that fits."""
    for fact in about(argv[0]) if argv else ():
        yield from _RECOGNISERS.get(fact.how, _nothing)(fact, argv)


def _nothing(fact: Fact, argv: Argv) -> Iterator[Started]:
    yield from ()


def _wrapped(fact: Fact, argv: Argv) -> Iterator[Started]:
    at = 1
    for verb in fact.verbs:
        at = first_operand(argv, at, fact.flags, fact.values)
        if at >= len(argv) or argv[at] not in verb.split("|"):
            return
        at += 1
    at = first_operand(argv, at, fact.flags, fact.values) + fact.operands
    if fact.operands and argv[at : at + 1] == ("--",):
        at += 1
    while fact.assignments and at < len(argv) and _ASSIGNMENT.match(argv[at]):
        at += 1
    if at < len(argv):
        yield Started(fact, argv=argv[at:])


def _between(fact: Fact, argv: Argv) -> Iterator[Started]:
    for at, word in enumerate(argv):
        if word in fact.options:
            end = next((end for end in range(at + 1, len(argv)) if argv[end] in fact.ends), len(argv))
            inner = argv[at + 1 : end]
            yield Started(fact, argv=inner[:-1] if inner[-1:] == ("{}",) and argv[end : end + 1] == ("+",) else inner)


def _shell_text(fact: Fact, argv: Argv) -> Iterator[Started]:
    """The option counts only where options stand: behind `sh script`, -c is the script's."""
    letter = fact.option[1:] if len(fact.option) == 2 else None
    skipped = 0
    at = 1
    while at + 1 < len(argv):
        word = argv[at]
        if word == fact.option or (letter and re.fullmatch(rf"-[a-z]*{letter}", word)):
            yield Started(fact, shell=argv[at + 1])
            return
        if not word.startswith(("-", "+")):
            skipped += 1
            if skipped > fact.operands:
                return
        at += 2 if word in fact.values else 1


def _in_template(fact: Fact, argv: Argv) -> Iterator[Started]:
    if len(argv) != len(fact.words) or base_name(argv[0]) != fact.program:
        return
    inner = None
    for pattern, word in zip(fact.words[1:], argv[1:], strict=True):
        hole = _HOLE.search(pattern)
        if hole is None:
            if _literal(pattern) != word:
                return
            continue
        if hole[1] == "any":
            continue
        before, after = _literal(pattern[: hole.start()]), _literal(pattern[hole.end() :])
        if len(word) < len(before) + len(after) or not (word.startswith(before) and word.endswith(after)):
            return
        text = _QUOTING[hole[2]].read(word[len(before) : len(word) - len(after)])
        if text is None:
            return
        inner = _filled(fact, hole[1], text)
    if inner is not None:
        yield inner


def _filled(fact: Fact, kind: str, text: str) -> Started:
    if kind == "shell":
        return Started(fact, shell=text)
    return Started(fact, argv=tuple(text.split() if kind == "words" else json.loads(text)))


def _literal(pattern: str) -> str:
    return pattern.replace("{{", "{").replace("}}", "}")


_RECOGNISERS: Mapping[str, Callable[[Fact, Argv], Iterator[Started]]] = {
    "wrapper": _wrapped,
    "primary": _between,
    "shell": _shell_text,
    "template": _in_template,
}


@dataclass(frozen=True, slots=True)
class _Quoting:
    """How a program's language writes a string, and how it is read back."""

    write: Callable[[str], str]
    read: Callable[[str], str | None]


def _read_json(text: str) -> str | None:
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, str) else text


def _read_single(text: str) -> str | None:
    if len(text) < 2 or text[0] != "'" or text[-1] != "'":
        return None
    return re.sub(r"\\([\\'])", r"\1", text[1:-1])


_QUOTING: Mapping[str | None, _Quoting] = {
    None: _Quoting(str, str),
    "json": _Quoting(lambda text: json.dumps(text, ensure_ascii=False), _read_json),
    "single": _Quoting(lambda text: "'" + re.sub(r"([\\'])", r"\\\1", text) + "'", _read_single),
    "sed": _Quoting(
        lambda text: re.sub(r"([\\/&\n])", r"\\\1", text), lambda text: re.sub(r"\\([\\/&\n])", r"\1", text)
    ),
    "make": _Quoting(lambda text: text.replace("$", "$$"), lambda text: text.replace("$$", "$")),
}


def fill(fact: Fact, argv: Argv, text: str) -> Argv | None:
    """The words of a call by which the program of `fact` starts `argv`, or what `text` says where it takes shell text.

    None: it can't take this one, as a hole that is split at blanks can't take a word with a blank.
    """
    if fact.how in ("wrapper", "primary"):
        return (*fact.before, *argv, *fact.after)
    if fact.how == "shell":
        return (*fact.before, text)
    if fact.how != "template":
        return None
    words = []
    for pattern in fact.words:
        hole = _HOLE.search(pattern)
        if hole is None or hole[1] == "any":
            words.append(_literal(pattern) if hole is None else hole[2])
            continue
        if hole[1] == "words" and any(not word or re.search(r"[\s'\"\\$#]", word) for word in argv):
            return None
        if hole[2] == "sed" and "\n" in text:
            return None
        content = {"shell": text, "words": " ".join(argv), "argv": json.dumps(argv, ensure_ascii=False)}[hole[1]]
        quoted = content if hole[1] == "argv" else _QUOTING[hole[2]].write(content)
        words.append(_literal(pattern[: hole.start()]) + quoted + _literal(pattern[hole.end() :]))
    return tuple(words)
