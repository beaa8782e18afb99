"""What the user, or the policy, rules out: read clause by clause, and lifted by later requests.

Which commands a word rules out is a row of `limits.txt`; besides, a clause that forbids touching, using or changing
something rules out every command that names it, one that wants nothing changed whatever is more than looking, and one
that confines the work to a folder whatever writes elsewhere. A ban whose topic can't be told rules out all changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Final

from toolaudit.classifier.local.harmless import programs
from toolaudit.classifier.local.requests import clauses, forbids, orders, requests
from toolaudit.classifier.local.table import lines
from toolaudit.patterns import late

WORD = late(r"[A-Za-z0-9_./-]+")
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
    r"explica)|\b(?:no|sin) (?:cambi|modifiq|modificar|toques?|tocar|escrib)\w+"
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
    r"touching)(?: please| yet| now| today)?\s*\Z|\bobserve only\b|\blook,? (?:but )?don'?t touch\b|"
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
_ONLY_TESTS = late(
    r"\b(?:only|just|nur|solo|s[oó]lo|seulement)(?: run)?(?: the| die| les| los)? (\w+)[- ]?(?:tests?|suite)\b", 2
)
_SHORT: Final = 500
"""Characters of a message beyond which a ban in it whose topic can't be told is likelier to describe something."""
_FEW: Final = 3
"""Words of a clause that rules out a program by naming it: "not npm"."""


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
class Limits:
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
                self.things = {said: words for said, words in self.things.items() if things_of(words)}
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
        words = frozenset(word.lower().strip("./-") for word in WORD.findall(_QUOTED.sub(" ", ruled)))
        self.actions |= {word: message for word in sorted(words) if word in actions()}
        if (
            len(words - _SMALL - _CALLED) <= _FEW
            and len(alone := (words - _SMALL - _CALLED - _ENGLISH) & programs()) == 1
        ):
            self.commands |= dict.fromkeys(alone, clause)
        if words & _TOUCHING or any(_is_place(word) for word in WORD.findall(ruled)):
            if not things_of(words) and words & (_EDITING | {"touch", "touching"}):
                self.looks = clause
            self.things[clause] = words
        named = any(word in actions() for word in words)
        if (
            not named
            and known == (len(self.actions), len(self.commands), len(self.things), self.looks)
            and orders(clause)
            and len(message) <= _SHORT
        ):
            self.unread = clause


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


def _ruled(clause: str) -> str:
    """The part of a clause that can be ruled out: "the tests without the slow ones" says nothing against tests."""
    if clause.lower().startswith("skip "):
        return _FOR_NOW.split(clause)[0]
    found = _BUT.search(clause)
    return clause[found.start() :] if found is not None and not forbids(clause[: found.start()]) else clause


def _is_place(word: str) -> bool:
    return "/" in word.strip("/") or word.endswith("/") or _FILE.fullmatch(word) is not None


def things_of(words: frozenset[str]) -> frozenset[str]:
    return words - _TOUCHING - _EVERYTHING - _SMALL
