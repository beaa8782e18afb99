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
from toolaudit.classifier.local.context import Context, mentions
from toolaudit.classifier.local.harmless import known, programs
from toolaudit.classifier.local.paths import written
from toolaudit.classifier.local.requests import clauses, forbids, orders, requests
from toolaudit.classifier.local.starts import Start
from toolaudit.classifier.local.table import lines
from toolaudit.patterns import late

_WORD = late(r"[A-Za-z0-9_./-]+")
_QUOTED = late(r"[`\"']([^`\"']{2,200})[`\"']")
_EDITING: Final = frozenset(
    "anfassen ändern bearbeiten toucher toucher tocar toccare modifica modifiquer aanraken wijzigen dotykać трогать "
    "alter altering change changes changing edit edits editing modify modifying write writing ändern changer "
    "modifier cambiar".split()
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
_KEEPS: Final = (
    (late(r"\bkeep\b.*\blocal\b|\blocal(?:ly)? only\b|\bonly locally\b|\blocal commits?\b.*\bonly\b", 2), "push"),
    (late(r"\bstay on\b.*\bbranch\b", 2), "checkout"),
    (
        late(
            r"\boff-?line\b|\bmetered\b|\bair-?gapped\b|\bon (?:a |the )?(?:plane|train|flight)\b|\bohne netz\b|"
            r"\bsans r[ée]seau\b|\bsin (?:red|internet)\b",
            2,
        ),
        "network",
    ),
    (late(r"\bdo (?:it|this|that|everything) yourself\b|\bby yourself\b|\bsee (?:each|every) step\b", 2), "agent"),
    (late(r"\bcode freeze\b|\b(?:is|are) frozen\b|\bfreeze (?:until|till|on|is)\b", 2), "merge push deploy release"),
)
"""How a clause rules something out without a word of forbidding, and the words of `limits.txt` that it rules out."""
_LOOKS_ONLY = late(
    r"\b(?:nur|bitte nur) (?:lesen|schauen|anschauen|ansehen|gucken|erkl[aä]ren|analysieren)|"
    r"\bnichts? (?:\w+ )?(?:[aä]ndern|anfassen|ver[aä]ndern|"
    r"schreiben|bearbeiten|anpassen)|\bkeine (?:\w+ )?(?:[aä]nderung|anpassung)\w*|\blecture seule|"
    r"\bne (?:change|modifie|touche|corrige)\w* (?:rien|pas)|"
    r"\bsans (?:rien )?(?:modifier|changer|toucher)|\baucune modification|\bs[oó]lo (?:lectura|leer|mira|"
    r"explica)|\b(?:no|sin) (?:cambi|modifi|toc|edit|escrib)\w+"
    r"(?: nada)?|\bsola lettura|\bnon (?:modific|cambi|tocc)\w+|\bsomente leitura|\bn[aã]o (?:mud|alter|modifi|"
    r"mex)\w+|\balleen (?:lezen|kijken)|"
    r"\bniets (?:wijzigen|aanpassen|veranderen)|\btylko (?:odczyt|czyta)|\bnic nie (?:zmienia|ruszaj)|"
    r"только (?:чтение|посмотр|читай)|"
    r"ничего не (?:меня|трога|изменя)|只读|不要(?:修改|改)|别改|勿修改|読み取り専用|変更しない|읽기 ?전용|"
    r"\b(?:change|edit|touch|modify|write|alter|fix|do) nothing\b|\bnothing (?:is|gets|should be|may be|"
    r"must be) (?:changed|edited|touched|modified|written)\b|"
    r"\bhands off the (?:code|files|keyboard)\b|\b(?:only|just) (?:read|want to (?:know|understand|see)|curious|"
    r"asking)\b|\b(?:leave|keep) (?:everything|it all|all) "
    r"(?:alone|as (?:it|they) (?:is|are)|untouched|unchanged)\b|\bno (?:writes|writing|editing|fixes|fixing|"
    r"touching)\b|\bobserve only\b|\blook,? (?:but )?don'?t touch\b|"
    r"\A(?:this is |stay |strictly |keep (?:it|this) |be )?read[- ]only\b(?! ?\()|\b(?:in|is) read[- ]only\b|"
    r"\bdry[- ]run only\b|\b(?:just|only|merely) (?:want |need |give me |would like )?(?:a |an |the |"
    r"your )?(?:answer|say|list|show|count|read|opinion|look|explain|tell|describe|review|analy[sz]e|"
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
_FOR_NOW = late(r"\b(?:for|when|while|in|on|during)\b", 2)
_FILE = late(r"[\w.@-]*[\w@-]\.[a-z]{1,5}", 2)
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
_CALLED: Final = frozenset("command commands program tool calls cli anything stuff things".split())
"""Words that say of a name that it is a program's."""
_ENGLISH: Final = frozenset(
    """
    at clear code compare convert cut date display expand expect file fix fold free go host import join kill last less
    link look make more next open paste run screen script serve sort split start tap task test time top watch which
    who write yes n w
    """.split()
)
"""Names of programs that are words, too."""
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
_ONLY_TESTS = late(
    r"\b(?:only|just|nur|solo|s[oó]lo|seulement)(?: run)?(?: the| die| les| los)? (\w+)[- ]?(?:tests?|suite)\b", 2
)
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
    """One clause of a message, or one entry of the policy, that limits something."""

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
        keeps = " ".join(words for pattern, words in _KEEPS if pattern.search(text))
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
    tests: str = ""
    """The only tests that may be run, by a word of their name."""
    unread: str = ""
    """A clause that rules out something that can't be told."""

    def read(self, message: str) -> None:
        """Lifts what the message asks for, and adds what it rules out."""
        ruled = _clauses(message)
        bans = any(clause.forbids or clause.looks for clause in ruled)
        for request in requests(message):
            lifted = actions().get(request.head)
            self.actions = {word: said for word, said in self.actions.items() if actions()[word] != lifted}
            if request.head in _LIFTING and not bans:
                self.looks = self.unread = ""
                self.things = {said: words for said, words in self.things.items() if _things(words)}
        self.confined = tuple(clause.place for clause in ruled if clause.place) or self.confined
        only = _ONLY_TESTS.search(message)
        if only is not None:
            self.tests = only[1].lower()
        for clause in ruled:
            if clause.place:
                continue
            if clause.looks:
                self.looks = clause.text
            if clause.forbids:
                self.forbid(clause.text, message)
            self.actions |= dict.fromkeys(clause.keeps.split(), message)

    def forbid(self, clause: str, message: str) -> None:
        """Rules out what a clause names; one that names nothing that is known rules out all that changes something."""
        known = (len(self.actions), len(self.commands), len(self.things), self.looks)
        ruled = _ruled(clause)
        quoted = [one.strip() for one in _QUOTED.findall(ruled) if " " in one.strip() or one.isalpha()]
        self.commands |= dict.fromkeys(quoted, clause)
        words = frozenset(word.lower().strip("./-") for word in _WORD.findall(_QUOTED.sub(" ", ruled)))
        self.actions |= {word: message for word in sorted(words) if word in actions()}
        if (
            len(words - _SMALL - _CALLED) <= _FEW
            and len(alone := (words - _SMALL - _CALLED - _ENGLISH) & programs()) == 1
        ):
            self.commands |= dict.fromkeys(alone, clause)
        if words & _TOUCHING or any(_is_place(word) for word in _WORD.findall(ruled)):
            if not _things(words) and words & (_EDITING | {"touch", "touching"}):
                self.looks = clause
            self.things[clause] = words
        named = any(word in actions() for word in words)
        if (
            not named
            and known == (len(self.actions), len(self.commands), len(self.things), self.looks)
            and orders(clause)
        ):
            self.unread = clause


def find(starts: Sequence[Start], changing: bool, edited: str, context: Context) -> Iterator[Concern]:
    """What the user ruled out and did not lift, and the entries of the policy that name a command.

    `changing`: the call does more than look. `edited` is the file that an editing tool would write, or empty.
    """
    limits = _Limits()
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
    if any(word.startswith("not ") for start in starts for word in start.words):
        return True
    clause = next((one for one in clauses(message) if forbids(one)), "")
    words = frozenset(word.lower() for word in _WORD.findall(clause))
    parts = _things(words) - actions().keys() - _WHOLE - {"skip"}
    named = [word for start in starts for word in start.words[1:] if "/" in word or "." in word or "::" in word]
    limited = bool(parts) or bool(words & _WHOLE)
    return limited and bool(named) and not any(part in word.lower() for part in parts for word in named)


def _ruled(clause: str) -> str:
    """The part of a clause that can be ruled out: "the tests without the slow ones" says nothing against tests."""
    if clause.lower().startswith("skip "):
        return _FOR_NOW.split(clause)[0]
    found = _BUT.search(clause)
    return clause[found.start() :] if found is not None and not forbids(clause[: found.start()]) else clause


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


def _is_place(word: str) -> bool:
    return "/" in word.strip("/") or word.endswith("/") or _FILE.fullmatch(word) is not None


def _implied(start: Start) -> Iterator[str]:
    """The files that a command writes without naming them."""
    for (program, verbs), names in _IMPLIED.items():
        if start.program in program.split("/") and any(word in verbs.split("/") for word in start.words[1:3]):
            yield from (f"{start.folder}/{name}".lstrip("/") if start.folder else name for name in names.split())


def _is_excepted(start: Start, limits: _Limits, context: Context) -> bool:
    """Whether a command names what an entry of the policy leaves out of what it rules out."""
    found = [name for entry in context.entries for name in _EXCEPT.findall(entry)]
    return bool(found) and any(mentions(" ".join(start.words), name.strip(".")) for name in found)


def _touches(words: frozenset[str], start: Start) -> bool:
    """Whether a command names one of the words, or works below one of them as a path."""
    if known(start.words or ("",), starts=True).kind == "look" and not words & _SEEING:
        return False
    things = _things(words)
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
    things = _things(words)
    things |= frozenset(name for word in things for alias in (word, f"{word}s") for name in _ALIASES.get(alias, ()))
    things |= frozenset(_ALIASES["lock"]) if any(word.startswith("lock") for word in words) else frozenset()
    parts = [part for place in places for part in (*place.split("/"), place.rpartition("/")[2].partition(".")[0])]
    return bool(
        _named(
            things,
            [*places, *parts, *(part.strip(".") for part in parts), *(part.rpartition(".")[2] for part in parts)],
        )
    )


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
