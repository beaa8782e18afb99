"""The programs a shell text starts, as far as its words say: behind wrappers, in scripts given by `-c`, elsewhere.

Built on the sound reader. What the reader can't tell is `unread`, and the starts are then a best effort.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, pairwise
from typing import Final

from toolaudit.classifier.local.started import FETCHING, package, script_of, started_by
from toolaudit.patterns import late
from toolaudit.shell import Reading, SimpleCommand, Word, read

ELSEWHERE: Final = ("ssh", "kubectl")
CONTAINED: Final = ("docker", "podman")
_PREFIXES: Final = frozenset({"time", "command", "builtin", "exec", "coproc"})
_DEPTH: Final = 4
"""How many scripts inside scripts are read; what is deeper is unread."""

MOST_COMMANDS: Final = 500
"""Commands of one text that are looked at; a text with more counts as unread."""

_FUNCTION = late(r"(?:\A|[\n;&|(){}])[ \t]*(?:([A-Za-z_][\w-]*)[ \t]*\(\)|function[ \t]+([\w-]+))")
_VARIABLE = late(r"\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)[^}]*\})")
MADE_HERE: Final = "/tmp/made-here"
"""Stands for what a text itself has `mktemp` make."""
_COMPUTED: Final = (
    (late(r"\$\((?:git rev-parse --show-toplevel|pwd)\)|\$\{?PWD\}?"), "."),
    (late(r"\$\(mktemp[^()]*\)"), MADE_HERE),
    (late(r"\$\{?TMPDIR\}?"), "/tmp"),
    (late(r"\$\(dirname[^()]*\)"), "."),
    (late(r"\$\((?:date|git (?:rev-parse|describe|branch|merge-base))[^()]*\)"), "x"),
    (late(r"\$\((?:(?:grep|rg|fd|git grep|git ls-files|git diff) [^()$~`]*|find \.?[\w.]+[^()$~`]*)\)"), "x"),
    (late(r"\$[$!?#0-9]|\$\{?(?:RANDOM|SECONDS|UID)\}?"), "0"),
)
"""What variables and substitutions stand for, as far as it matters where that is."""
_OUTPUTS: Final = frozenset(
    "-o --output --out --output-file --outfile --out-dir --outdir --output-dir --dest --dist".split()
)
"""Options that, by their name, say where something is put."""
_FARAWAY = late(r"(?<![\w.\"'/<>&])[/~]\w")
_VERSIONED = late(
    r"\A(python3?|pypy3?|pip3?|ruby|php|node|lua|perl|psql|go|gcc|g\+\+|clang(?:\+\+|-format|-tidy)?)-?\d*(?:(?<=\d)\.\d+|-\d+|(?<=-)\d+)\Z"
)
"""A program's name with the number of its version."""
_SUBSHELLS: Final = frozenset({"subshell", "command-substitution", "process-substitution"})
_PIPE = late(r"[\s)}]*\|&?[\s({]*")


@dataclass(frozen=True, slots=True)
class Start:
    """One program with its words."""

    words: tuple[str, ...]
    """The program's base name and its arguments; one that only run time knows stands as it is written."""
    path: str = ""
    """The program as it is spelled, where it is spelled with a folder."""
    unknown: frozenset[int] = frozenset()
    """The places of words that only run time knows."""
    redirects: tuple[tuple[str, str], ...] = ()
    """Operator and target."""
    assignments: tuple[tuple[str, str], ...] = ()
    via: tuple[str, ...] = ()
    """What starts it, outermost first: wrappers, shells, `ssh HOST`."""
    feeder: Start | None = None
    """The program whose output it reads."""
    fillers: tuple[Start, ...] = ()
    """The programs in substitutions among its words."""
    context: tuple[str, ...] = ()
    folder: str = ""
    """Where the text went by `cd` before it, as it is spelled; empty: nowhere."""

    @property
    def program(self) -> str:
        return self.words[0] if self.words else ""

    @property
    def texts(self) -> list[str]:
        """The texts of its here-documents and here-strings."""
        return [target for operator, target in self.redirects if operator in ("<<", "<<-", "<<<")]

    @property
    def away(self) -> bool:
        """Whether it runs on another machine or in a container."""
        return any(via.startswith((*ELSEWHERE, *CONTAINED)) for via in self.via)

    @property
    def feeders(self) -> Iterator[Start]:
        """All programs before it in its pipeline, nearest first."""
        at = self.feeder
        while at is not None:
            yield at
            at = at.feeder


@dataclass(frozen=True, slots=True)
class Text:
    """A shell text taken apart."""

    starts: tuple[Start, ...]
    values: Mapping[str, str]
    """Variables that the text itself sets, to what."""
    unread: str = ""
    """Why the reader can't say what runs; empty: it can."""
    functions: frozenset[str] = frozenset()
    """Names that the text itself defines."""


@lru_cache(maxsize=4096)
def take_apart(command: str, depth: int = 0) -> Text:
    """The programs that `command` starts."""
    reading = read(command)
    starts: list[Start] = []
    values: dict[str, str] = {}
    unread = _unread(reading)
    data = command.encode("utf-8", "surrogateescape")
    made: list[tuple[SimpleCommand, Start]] = []
    if len(reading.commands) > MOST_COMMANDS:
        unread = "too-many-commands"
    for simple in reading.commands[:MOST_COMMANDS]:
        for item in simple.assignments:
            if item.value is not None and not simple.argv:
                values[item.name] = item.value.value if item.value.value is not None else item.value.text
        if simple.context and simple.context[-1] in _PREFIXES:
            continue
        if simple.argv and simple.argv[0].value == "read" and not _FARAWAY.search(command):
            # What is read line by line is named by a command that stays in the project.
            values |= {name: values.get(name, "x") for word in simple.argv[1:] if (name := word.text).isidentifier()}
        start = replace(_start(simple), feeder=_feeder(simple, made, data))
        made.append((simple, start))
    folders = _folders([start for _, start in made], values)
    for (simple, start), folder in zip(made, folders, strict=True):
        start = replace(start, folder=folder)
        inner = tuple(other for nested, other in made if _inside(nested, simple))
        for found, why in _followed(replace(start, fillers=inner), depth):
            starts.append(found)
            unread = unread or why
    return Text(tuple(starts), values, unread, frozenset(filter(None, chain(*_FUNCTION.findall(command)))))


def _folders(starts: Sequence[Start], values: Mapping[str, str]) -> Iterator[str]:
    """Where each of the starts runs; what a subshell enters it leaves with its end."""
    entered = [""]
    for start in starts:
        depth = sum(one in _SUBSHELLS for one in start.context)
        entered = [*entered[: depth + 1], *[entered[-1]] * (depth + 1 - len(entered))]
        yield entered[-1]
        if start.program in ("cd", "pushd"):
            place = next((word for word in start.words[1:] if not word.startswith("-")), "~")
            entered[-1] = posixpath.join(entered[-1], resolved(place, values))


def resolved(spelled: str, values: Mapping[str, str]) -> str:
    """A word with the variables filled in that the text itself sets, as far as that tells what it is."""
    if "$" not in spelled and "`" not in spelled:
        return spelled
    spelled = spelled.replace('"', "")
    for _ in range(_DEPTH):
        spelled = _VARIABLE.sub(lambda found: values.get(found[1] or found[2], found.group()).strip("\"'"), spelled)
    for pattern, place in _COMPUTED:
        spelled = pattern.sub(place, spelled)
    return spelled


def _unread(reading: Reading) -> str:
    problem = reading.complexity
    if problem is None:
        return ""
    loads = {"source", "."}
    if reading.exact and all(one.construct in loads for one in reading.evaluations):
        return ""  # a file that is named: it is looked at as a script that runs
    return problem.reason


def _start(simple: SimpleCommand) -> Start:
    words = tuple(_spelled(word) for word in simple.argv)
    path = words[0] if words and "/" in words[0] else ""
    if words:
        name = "((" if words[0].startswith("((") else words[0].rpartition("/")[2] or words[0]
        name = _VERSIONED.sub(r"\1", name)
        words = (name, *words[1:])
    return Start(
        words,
        path,
        frozenset(place for place, word in enumerate(simple.argv) if word.value is None),
        tuple((item.operator, _spelled(item.target)) for item in simple.redirects),
        tuple((item.name, _spelled(item.value) if item.value is not None else "") for item in simple.assignments),
        context=simple.context,
    )


def _spelled(word: Word) -> str:
    return word.value if word.value is not None else word.text


def _feeder(simple: SimpleCommand, made: Sequence[tuple[SimpleCommand, Start]], data: bytes) -> Start | None:
    for before, start in reversed(made):
        if before.span[1] <= simple.span[0]:
            between = data[before.span[1] : simple.span[0]].decode("utf-8", "replace")
            return start if _PIPE.fullmatch(between) else None
    return None


def _inside(inner: SimpleCommand, outer: SimpleCommand) -> bool:
    return inner is not outer and outer.span[0] < inner.span[0] and inner.span[1] <= outer.span[1]


def _followed(start: Start, depth: int) -> Iterator[tuple[Start, str]]:
    """`start` and what it starts in turn, each with why something in it is unread."""
    deep = depth >= _DEPTH and (script_of(start) is not None or any(True for _ in started_by(start)))
    yield start, "too-deep" if deep else ""
    if depth >= _DEPTH:
        return
    for words, via in started_by(start):
        path, name = (words[0], words[0].rpartition("/")[2]) if "/" in words[0] else ("", words[0])
        name = _VERSIONED.sub(r"\1", name)
        if via[-1] in FETCHING:
            path, name = path if "://" in path else "", package(words[0])
        inner = replace(start, words=(name, *words[1:]), path=path, unknown=frozenset(), via=via)
        yield from _followed(inner, depth + 1)
    script = script_of(start)
    if script is not None:
        text = take_apart(script, depth + 1)
        via = (*start.via, start.program)
        yield from ((replace(found, via=(*via, *found.via)), text.unread) for found in text.starts)


def outputs(start: Start) -> Iterator[str]:
    """The values of options that, by their name, say where something is put."""
    for before, word in pairwise(start.words):
        name, equals, value = word.partition("=")
        if before in _OUTPUTS:
            yield word
        elif equals and name in _OUTPUTS:
            yield value
