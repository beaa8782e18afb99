"""Limits that a user stated ("don't push"), held against what a call does.

A limit stands until a later request lifts it. Which commands a word rules out is a row of `limits.txt`; besides, a
clause that forbids touching, using or changing something rules out every command that names it, one that wants nothing
changed whatever is more than looking, and one that confines the work to a folder whatever writes elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Final

from toolaudit.classifier.local.concern import Concern
from toolaudit.classifier.local.context import Context
from toolaudit.classifier.local.harmless import programs
from toolaudit.classifier.local.paths import written
from toolaudit.classifier.local.requests import clauses, forbids, requests
from toolaudit.classifier.local.starts import Start
from toolaudit.classifier.local.table import lines
from toolaudit.patterns import late

_WORD = late(r"[A-Za-z0-9_./-]+")
_QUOTED = late(r"[`\"']([^`\"']{2,200})[`\"']")
_EDITING: Final = frozenset(
    "alter altering change changes changing edit edits editing modify modifying write writing".split()
)
_TOUCHING: Final = _EDITING | frozenset(
    "call calling open run running touch touching use using alone untouched unchanged leave keep stay away off is "
    "out".split()
)
_LIFTING: Final = _EDITING | frozenset(
    "add apply build convert correct create delete do extend fix implement make move refactor remove rename repair "
    "replace rewrite update".split()
)
"""Verbs of a request that lifts "change nothing"."""
_EVERYTHING: Final = frozenset({"anything", "nothing", "everything", "file", "files", "code", "any", "source"})
_SMALL: Final = frozenset(
    "a all and any are as at be but do don for from in is it its just look me my never not of on only or our "
    "please so t "
    "that the them there these this to us we with without you your make sure no must may should can i".split()
)
_BUT = late(r"\b(?:without|except|instead of|with no)\b", 2)
_KEEPS = late(r"\bkeep\b.*\blocal\b|\blocal(?:ly)? only\b|\bonly locally\b", 2)
_STAYS = late(r"\bstay on\b.*\bbranch\b", 2)
_LOOKS_ONLY = late(
    r"\A(?:this is |stay |strictly |keep (?:it|this) |be )?read[- ]only\b(?! ?\()|\b(?:in|is) read[- ]only\b|"
    r"\bdry[- ]run only\b|\b(?:just|only|merely) (?:a )?(?:look|explain|tell|describe|review|analy[sz]e|"
    r"investigate|"
    r"diagnose|report|summari[sz]e|plan|propose|suggest|explanation|review)\b|"
    r"(?:\Ano|\b(?:please|make|with) no|\bwithout (?:any|making(?: any)?)|\bdon'?t make any|"
    r"\bdo not make any) (?:code |file )?"
    r"(?:changes|edits|modifications)\b(?! (?:ha|we|are|in|to|were)\w*\b)|"
    r"\b(?:explanation|review|analysis|plan|diagnosis) only\b",
    2,
)
_WORKING = r"change|do|edit|make (?:your |the |any )?(?:changes|edits)|modify|touch|work|write"
_CONFINED = late(
    rf"(?:\b(?:only|just) (?:{_WORKING})|\b(?:{_WORKING}) only|\bstay (?:in|inside|within|under)|"
    rf"\b(?:nothing|anything) (?:outside|beyond)(?: of)?|\b(?:don'?t|do not|"
    rf"never) (?:{_WORKING}) (?:anything )?(?:outside|beyond)(?: of)?|"
    r"\b(?:stick|limit|restrict|confine|keep)(?: yourself| it| (?:the |your |all )?(?:changes|edits|"
    r"work))? (?:to|in|inside|within))\b"
    r"[^/\n]{0,60}?((?:[\w.@-]+/)+[\w.@*-]*)",
    2,
)
"""A clause that names the one place where the work may be done."""
_FEW: Final = 3
"""Words of a clause that rules out a program by naming it: "not npm"."""
_PARTIAL: Final = frozenset("test tests testing suite lint linting build builds".split())
_WHOLE: Final = frozenset("whole entire full all every everything complete".split())
_ELSEWHERE: Final = ("/tmp/", "/dev/")
_MANY: Final = frozenset(
    "git npm yarn pnpm docker kubectl gh helm aws gcloud az terraform cargo go pip uv make".split()
)
"""Programs of many uses: where a clause says more than the name, the name alone is not what it rules out."""


@dataclass(frozen=True, slots=True)
class _Clause:
    """One clause of a message that limits something."""

    text: str
    forbids: bool
    looks: bool
    """It wants nothing changed."""
    place: str
    """The one place where the work may be done, or empty."""
    keeps: str
    """The words of `limits.txt` that it rules out without a word of forbidding."""


@lru_cache(maxsize=1024)
def _clauses(message: str) -> tuple[_Clause, ...]:
    """The clauses that limit something. Kept: a session's every call is held against the same messages."""
    found = []
    for text in clauses(message):
        confined = _CONFINED.search(text)
        keeps = "push" if _KEEPS.search(text) else "checkout" if _STAYS.search(text) else ""
        clause = _Clause(
            text,
            forbids(text),
            _LOOKS_ONLY.search(text) is not None,
            confined[1] if confined is not None else "",
            keeps,
        )
        if clause.forbids or clause.looks or clause.place or clause.keeps:
            found.append(clause)
    return tuple(found)


@dataclass(slots=True)
class _Limits:
    """What stands after the messages so far."""

    actions: dict[str, str] = field(default_factory=dict)
    """Word of `limits.txt` -> the message that has it."""
    things: dict[str, frozenset[str]] = field(default_factory=dict)
    """Clause -> its words."""
    commands: dict[str, str] = field(default_factory=dict)
    """Command that is quoted in a clause -> the clause."""
    confined: tuple[str, ...] = ()
    looks: str = ""
    """The clause that wants nothing changed."""

    def read(self, message: str) -> None:
        """Lifts what the message asks for, and adds what it rules out."""
        ruled = _clauses(message)
        bans = any(clause.forbids or clause.looks for clause in ruled)
        for request in requests(message):
            lifted = actions().get(request.head)
            self.actions = {word: said for word, said in self.actions.items() if actions()[word] != lifted}
            if request.head in _LIFTING and not bans:
                self.looks = ""
                self.things = {said: words for said, words in self.things.items() if _things(words)}
        self.confined = tuple(clause.place for clause in ruled if clause.place) or self.confined
        for clause in ruled:
            if clause.place:
                continue
            if clause.looks:
                self.looks = clause.text
            if clause.forbids:
                self._forbid(clause.text, message)
            else:
                self.actions |= dict.fromkeys(clause.keeps.split(), message)

    def _forbid(self, clause: str, message: str) -> None:
        ruled = _ruled(clause)
        quoted = [one.strip() for one in _QUOTED.findall(ruled) if " " in one.strip() or one.isalpha()]
        self.commands |= dict.fromkeys(quoted, clause)
        words = frozenset(word.lower().strip("./-") for word in _WORD.findall(_QUOTED.sub(" ", ruled)))
        self.actions |= {word: message for word in sorted(words) if word in actions()}
        if len(words) <= _FEW and len(alone := words & programs()) == 1:
            self.commands |= dict.fromkeys(alone, clause)
        if words & _TOUCHING:
            if not _things(words) and words & _EDITING:
                self.looks = clause
            self.things[clause] = words


def find(starts: Sequence[Start], changing: bool, edited: str, context: Context) -> Iterator[Concern]:
    """What the user ruled out and did not lift, and the entries of the policy that name a command.

    `changing`: the call does more than look. `edited` is the file that an editing tool would write, or empty.
    """
    limits = _Limits()
    for message in context.messages:
        limits.read(message)
    touched = [edited] * bool(edited) + [path for start in starts for path in written(start)]
    for word, message in limits.actions.items():
        hit = any(_is_one(command, start) for command in actions()[word] for start in starts)
        if hit and not (word in _PARTIAL and _is_another_part(message, starts)):
            yield Concern("boundary", f"the user said: {message}")
    for command, clause in limits.commands.items():
        if any(_is_one(command, start) for start in starts):
            yield Concern("boundary", f"the user said: {clause}")
    for clause, words in limits.things.items():
        if any(_touches(words, start) for start in starts) or _edits(words, touched, context):
            yield Concern("boundary", f"the user said: {clause}")
    if limits.looks and changing and not (touched and all(path.startswith(_ELSEWHERE) for path in touched)):
        yield Concern("boundary", f"the user said: {limits.looks}")
    outside = next((path for path in touched if limits.confined and not _within(path, limits.confined, context)), None)
    if outside is not None:
        places = ", ".join(limits.confined)
        yield Concern("boundary", f"the user confined the work to {places}, and this writes {outside}")
    yield from context.ruled_out(starts)


@cache
def actions() -> Mapping[str, tuple[str, ...]]:
    """A word of a limit -> the commands it rules out. Raises ValueError for a row that is none."""
    found: dict[str, tuple[str, ...]] = {}
    for number, line in lines("limits.txt"):
        words, bar, commands = line.partition("|")
        if not bar or not commands.strip():
            raise ValueError(f"limits.txt:{number}: expected words | commands, got {line!r}")
        found |= dict.fromkeys(words.split(), tuple(one.strip() for one in commands.split(",")))
    return found


def _is_another_part(message: str, starts: Sequence[Start]) -> bool:
    """Whether only some part of the tests is ruled out, and the commands name another one."""
    clause = next((one for one in clauses(message) if forbids(one)), "")
    words = frozenset(word.lower() for word in _WORD.findall(clause))
    parts = _things(words) - actions().keys() - _WHOLE - {"skip"}
    named = [word for start in starts for word in start.words[1:] if "/" in word or "." in word or "::" in word]
    limited = bool(parts) or bool(words & _WHOLE)
    return limited and bool(named) and not any(part in word.lower() for part in parts for word in named)


def _ruled(clause: str) -> str:
    """The part of a clause that can be ruled out: "the tests without the slow ones" says nothing against tests."""
    found = _BUT.search(clause)
    return clause[found.start() :] if found is not None and not forbids(clause[: found.start()]) else clause


def _is_one(command: str, start: Start) -> bool:
    spelled = " ".join((*start.via, *start.words) if command in start.via else start.words)
    first, star, part = command.partition("*")
    if star and part.rstrip("*") not in spelled:
        return False
    first = first.strip()
    return not first or spelled == first or spelled.startswith(f"{first} ")


def _touches(words: frozenset[str], start: Start) -> bool:
    """Whether a command names one of the words, or works below one of them as a path."""
    things = _things(words)
    named = [one.lower() for one in (*start.via, *start.words) if not one.startswith("-")]
    found = _named(things, named)
    return bool(found) and not (found <= _MANY and len(things) > 1)


def _edits(words: frozenset[str], touched: Sequence[str], context: Context) -> bool:
    """Whether a file is written that is ruled out."""
    below = f"{context.question.cwd}/"
    places = [context.absolute(path).removeprefix(below).lower() for path in touched]
    things = _things(words)
    parts = [part for place in places for part in (*place.split("/"), place.rpartition("/")[2].partition(".")[0])]
    return bool(_named(things, [*places, *parts]))


def _things(words: frozenset[str]) -> frozenset[str]:
    return words - _TOUCHING - _EVERYTHING - _SMALL


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
