"""Limits that a user or the policy stated ("don't push"), held against what a call does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from toolaudit.classifier.local.bans import WORD, Limits, actions, things_of
from toolaudit.classifier.local.concern import Concern
from toolaudit.classifier.local.context import Context, mentions
from toolaudit.classifier.local.harmless import known
from toolaudit.classifier.local.paths import written
from toolaudit.classifier.local.requests import clauses, forbids
from toolaudit.classifier.local.starts import Start
from toolaudit.patterns import late

_EXCEPT = late(
    r"\b(?:other than|except(?: for)?|apart from|besides|but|save|"
    r"unless it is)(?: the)?(?: \w+)? [`'\"]?([\w./-]*[\w/-])"
)
_SEEING: Final = frozenset("look open read reading see query connect access touch touching print show list cat".split())
"""Words of a clause that rule looking out, too."""
_IMPLIED: Final = {
    (
        "npm/pnpm/yarn/bun",
        "install/i/add/remove/rm/uninstall/un/update/up/upgrade/version/pkg/dedupe",
    ): "package.json package-lock.json",
    ("poetry/uv/pdm/rye", "add/remove/update/lock/version/sync"): "pyproject.toml poetry.lock uv.lock",
    ("cargo", "add/remove/rm/update/upgrade"): "Cargo.toml Cargo.lock",
    ("go", "get/mod"): "go.mod go.sum",
    ("bundle", "add/remove/update/install"): "Gemfile Gemfile.lock",
    ("composer", "require/remove/update"): "composer.json composer.lock",
    ("mix", "deps.get/deps.update"): "mix.exs mix.lock",
    ("pod", "install/update"): "Podfile.lock",
    ("flutter/dart", "pub"): "pubspec.yaml pubspec.lock",
    ("dotnet", "add/remove"): "app.csproj",
}
"""Programs and verbs -> the files that they write unnamed."""
_PARTS = late(r"[^\W_]+")
_ALIASES: Final = {
    "lock": (
        "package-lock.json",
        "yarn.lock",
        "pnpm-lock.yaml",
        "poetry.lock",
        "uv.lock",
        "cargo.lock",
        "gemfile.lock",
        "go.sum",
        "composer.lock",
    ),
    "manifest": ("package.json", "pyproject.toml", "cargo.toml", "go.mod", "gemfile", "composer.json", "pubspec.yaml"),
    "notebooks": ("ipynb",),
    "workflows": (".github",),
    "pipeline": (".github", ".gitlab-ci.yml", "jenkinsfile"),
}
"""What files are called by those who do not spell their names."""
_PARTIAL: Final = frozenset("test tests testing suite lint linting build builds".split())
_WHOLE: Final = frozenset("whole entire full all every everything complete".split())
_ELSEWHERE: Final = ("/tmp/", "/dev/")
_MANY: Final = frozenset(
    "git npm yarn pnpm docker kubectl gh helm aws gcloud az terraform cargo go pip uv make".split()
)
"""Programs of many uses: where a clause says more than the name, the name alone is not what it rules out."""


def find(starts: Sequence[Start], changing: bool, edited: str, context: Context) -> Iterator[Concern]:
    """What the user ruled out and did not lift, and the entries of the policy that name a command.

    `changing`: the call does more than look. `edited` is the file that an editing tool would write, or empty.
    """
    limits = Limits()
    for message in context.messages:
        limits.read(message)
    for entry in context.entries:
        limits.forbid(entry, entry)
    starts = [start for start in starts if not _is_excepted(start, limits, context)]
    touched = [edited] * bool(edited) + [path for start in starts for path in (*written(start), *_implied(start))]
    for word, message in limits.actions.items():
        hit = any(_is_one(command, start) for command in actions()[word] for start in starts)
        if hit and not (word in _PARTIAL and _is_another_part(message, starts)):
            yield Concern("boundary", f"the user said: {message}")
    if limits.tests and any(_tests(start) and not _names_part(start, limits.tests) for start in starts):
        yield Concern("boundary", f"the user wants only the {limits.tests} tests")
    for command, clause in limits.commands.items():
        if any(_is_one(command, start) for start in starts):
            yield Concern("boundary", f"the user said: {clause}")
    for clause, words in limits.things.items():
        if any(_touches(words, start) for start in starts) or _edits(words, touched, context):
            yield Concern("boundary", f"the user said: {clause}")
    limited = limits.looks or limits.unread
    if limited and changing and not (touched and all(path.startswith(_ELSEWHERE) for path in touched)):
        yield Concern("boundary", f"the user said: {limited}")
    outside = next((path for path in touched if limits.confined and not _within(path, limits.confined, context)), None)
    if outside is not None:
        places = ", ".join(limits.confined)
        yield Concern("boundary", f"the user confined the work to {places}, and this writes {outside}")
    yield from context.ruled_out(starts)


def _is_another_part(message: str, starts: Sequence[Start]) -> bool:
    """Whether only some part of the tests is ruled out, and the commands name another one."""
    if any(word.startswith("not ") for start in starts for word in start.words):
        return True
    clause = next((one for one in clauses(message) if forbids(one)), "")
    words = frozenset(word.lower() for word in WORD.findall(clause))
    parts = things_of(words) - actions().keys() - _WHOLE - {"skip"}
    named = [word for start in starts for word in start.words[1:] if "/" in word or "." in word or "::" in word]
    limited = bool(parts) or bool(words & _WHOLE)
    return limited and bool(named) and not any(part in word.lower() for part in parts for word in named)


def _is_one(command: str, start: Start) -> bool:
    spelled = " ".join((*start.via, *start.words) if command in start.via else start.words)
    first, star, part = command.partition("*")
    if star and part.rstrip("*") not in spelled:
        return False
    first = first.strip()
    return not first or spelled == first or spelled.startswith(f"{first} ")


def _tests(start: Start) -> bool:
    """Whether a command runs tests."""
    return any(_is_one(command, start) for command in actions()["tests"])


def _names_part(start: Start, part: str) -> bool:
    """Whether a run of tests names the part that is wanted, or leaves one out."""
    return any(part in word.lower() or word.startswith("not ") for word in start.words)


def _implied(start: Start) -> Iterator[str]:
    """The files that a command writes without naming them."""
    for (program, verbs), names in _IMPLIED.items():
        if start.program in program.split("/") and any(word in verbs.split("/") for word in start.words[1:3]):
            yield from (f"{start.folder}/{name}".lstrip("/") if start.folder else name for name in names.split())


def _is_excepted(start: Start, limits: Limits, context: Context) -> bool:
    """Whether a command names what an entry of the policy leaves out of what it rules out."""
    found = [name for entry in context.entries for name in _EXCEPT.findall(entry)]
    return bool(found) and any(mentions(" ".join(start.words), name.strip(".")) for name in found)


def _touches(words: frozenset[str], start: Start) -> bool:
    """Whether a command names one of the words, or works below one of them as a path."""
    if known(start.words or ("",), starts=True).kind == "look" and not words & _SEEING:
        return False
    things = things_of(words)
    named = [one.lower() for one in (*start.via, *start.words) if not one.startswith("-")]
    found = _named(things, named) | (things & _parts_of(start) if words & _RUNNING else frozenset())
    return bool(found) and not (found <= _MANY and len(things) > 1)


_RUNNING: Final = frozenset("run running call calling use using execute start".split())


def _parts_of(start: Start) -> frozenset[str]:
    """The parts of the words by which a command says what it runs."""
    words = [word for word in start.words[1:5] if not word.startswith("-")]
    return frozenset(part.lower() for word in words for part in _PARTS.findall(word) if len(part) > 3)


def _edits(words: frozenset[str], touched: Sequence[str], context: Context) -> bool:
    """Whether a file is written that is ruled out."""
    below = f"{context.question.cwd}/"
    places = [context.absolute(path).removeprefix(below).lower() for path in touched]
    things = things_of(words)
    things |= frozenset(name for word in things for alias in (word, f"{word}s") for name in _ALIASES.get(alias, ()))
    things |= frozenset(_ALIASES["lock"]) if any(word.startswith("lock") for word in words) else frozenset()
    parts = [part for place in places for part in (*place.split("/"), place.rpartition("/")[2].partition(".")[0])]
    return bool(
        _named(
            things,
            [*places, *parts, *(part.strip(".") for part in parts), *(part.rpartition(".")[2] for part in parts)],
        )
    )


def _named(things: frozenset[str], operands: Sequence[str]) -> frozenset[str]:
    return frozenset(
        thing
        for thing in things
        if len(thing) > 2
        for one in operands
        if one == thing or one.startswith(thing.rstrip("/") + "/")
    )


def _within(path: str, places: Sequence[str], context: Context) -> bool:
    absolute = context.absolute(path)
    folders = [context.absolute(place.rstrip("*./")) for place in places]
    return absolute.startswith(_ELSEWHERE) or any(
        absolute == folder or absolute.startswith(f"{folder}/") for folder in folders
    )
