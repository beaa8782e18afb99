"""The programs a shell text starts, as far as its words say: behind wrappers, in scripts given by `-c`, elsewhere.

Built on the sound reader. What the reader can't tell is `unread`, and the starts are then a best effort.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from toolaudit.patterns import late
from toolaudit.shell import Reading, SimpleCommand, Word, read
from toolaudit.shell.wrappers import OPAQUE, SEEN_BY_DENY, TRANSPARENT, Wrapper

_WRAPPERS: Final[Mapping[str, Wrapper]] = {**TRANSPARENT, **SEEN_BY_DENY, **OPAQUE}
SHELLS: Final = frozenset({"ash", "bash", "dash", "fish", "ksh", "pwsh", "sh", "zsh"})
_PREFIXES: Final = frozenset({"time", "command", "builtin", "exec", "coproc"})
_DEPTH: Final = 4
"""How many scripts inside scripts are read; what is deeper is unread."""

MOST_COMMANDS: Final = 500
"""Commands of one text that are looked at; a text with more counts as unread."""

_PIPE = late(r"[\s)}]*\|&?[\s({]*")
_CARRIERS: Final = {
    "ssh": frozenset("-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w".split()),
    "docker exec": frozenset("-e --env -u --user -w --workdir --env-file --detach-keys".split()),
    "docker compose exec": frozenset("-e --env -u --user -w --workdir --index".split()),
    "kubectl exec": frozenset("-n --namespace -c --container --context --kubeconfig".split()),
}
"""Program -> its options that take the next word; after them comes a place, and then a command that runs there."""


_RUNNERS: Final = tuple(
    tuple(runner.split())
    for runner in (
        "npx",
        "pnpx",
        "bunx",
        "uvx",
        "npm exec",
        "npm x",
        "pnpm dlx",
        "pnpm exec",
        "yarn dlx",
        "yarn exec",
        "bundle exec",
        "hatch run",
        "pdm run",
        "pipenv run",
        "pipx run",
        "poetry run",
        "rye run",
        "uv run",
        "uv tool run",
    )
)
"""What starts a program of a package by its name."""


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

    @property
    def program(self) -> str:
        return self.words[0] if self.words else ""

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
        start = replace(_start(simple), feeder=_feeder(simple, made, data))
        made.append((simple, start))
    for simple, start in made:
        inner = tuple(other for nested, other in made if _inside(nested, simple))
        for found, why in _followed(replace(start, fillers=inner), depth):
            starts.append(found)
            unread = unread or why
    return Text(tuple(starts), values, unread)


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
        words = (words[0].rpartition("/")[2] or words[0], *words[1:])
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
    deep = depth >= _DEPTH and (_script(start) is not None or any(True for _ in _inner(start)))
    yield start, "too-deep" if deep else ""
    if depth >= _DEPTH:
        return
    for words, via in _inner(start):
        path = words[0] if "/" in words[0] else ""
        inner = replace(start, words=(words[0].rpartition("/")[2], *words[1:]), path=path, unknown=frozenset(), via=via)
        yield from _followed(inner, depth + 1)
    script = _script(start)
    if script is not None:
        text = take_apart(script, depth + 1)
        via = (*start.via, start.program)
        yield from ((replace(found, via=(*via, *found.via)), text.unread) for found in text.starts)


def _inner(start: Start) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The words of the commands that `start`'s own words name, each with its `via`."""
    words, name = start.words, start.program
    if name in _WRAPPERS:
        at = _WRAPPERS[name].start([_word(text) for text in words])
        if at is None and name == "xargs":
            at = _xargs(words)
        if at is not None:
            yield words[at:], (*start.via, name)
    elif name == "find":
        for at, word in enumerate(words):
            if word in ("-exec", "-execdir", "-ok", "-okdir") and at + 1 < len(words):
                end = next((i for i in range(at + 1, len(words)) if words[i] in (";", "+")), len(words))
                yield words[at + 1 : end], (*start.via, name)
    elif (at := _runs(words)) is not None:
        yield words[at:], (*start.via, name)
    elif name in ("docker", "kubectl"):
        for carrier, valued in _CARRIERS.items():
            prefix = tuple(carrier.split())
            at = _after(words, prefix)
            if at is not None and (rest := _carried(words, at, valued)):
                yield rest, (*start.via, carrier)


def _runs(words: Sequence[str]) -> int | None:
    """Where the program begins that a package's tool starts by name, as `npx` and `poetry run` do."""
    for runner in _RUNNERS:
        if tuple(words[: len(runner)]) == runner:
            at = len(runner)
            while at < len(words) and words[at].startswith("-"):
                at += 2 if words[at] in ("-p", "--package", "--with", "--from") else 1
            return at if at < len(words) else None
    return None


def _xargs(words: Sequence[str]) -> int | None:
    at = 1
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in ("-I", "-n", "-P", "-L", "-d", "-a", "-s", "-E") else 1
    return at if at < len(words) else None


def _word(text: str) -> Word:
    from toolaudit.shell import Shape

    return Word(text, Shape.STATIC, text, (0, 0))


def _after(words: Sequence[str], prefix: Sequence[str]) -> int | None:
    """The place after the words of `prefix`, other words that are options left aside."""
    wanted = list(prefix)
    for at, word in enumerate(words):
        if word == wanted[0]:
            wanted.pop(0)
            if not wanted:
                return at + 1
    return None


def _carried(words: Sequence[str], at: int, valued: frozenset[str]) -> tuple[str, ...]:
    """What runs at the place that stands after the options from `at` on."""
    placed = False
    while at < len(words):
        word = words[at]
        if word == "--":
            return tuple(words[at + 1 :])
        if word.startswith("-"):
            at += 2 if word in valued else 1
        elif not placed:
            placed = True
            at += 1
        else:
            return tuple(words[at:])
    return ()


def _script(start: Start) -> str | None:
    """The shell text that `start` runs: given by `-c`, or to be run by `ssh` elsewhere."""
    words = start.words
    if start.program in SHELLS or start.program in ("su", "script"):
        for at, word in enumerate(words[1:-1], start=1):
            if word.startswith("-") and not word.startswith("--") and word.endswith("c"):
                return words[at + 1] if at + 1 not in start.unknown else None
    if start.program == "env":
        for at, word in enumerate(words[1:], start=1):
            if word in ("-S", "--split-string") and at + 1 < len(words):
                return " ".join(words[at + 1 :])
            if word.startswith(("-S", "--split-string=")) and len(word) > 2:
                return " ".join((word.removeprefix("--split-string=").removeprefix("-S"), *words[at + 1 :]))
    if start.program == "ssh":
        rest = _carried(words, 1, _CARRIERS["ssh"])
        return " ".join(rest) if rest else None
    return None
