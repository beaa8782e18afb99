"""Limits that a user stated ("don't push"), held against the commands of a call.

A limit stands until a later request lifts it. Which commands a word rules out is a row of `ACTIONS`; besides, a clause
that forbids touching, using or changing something rules out every command that names it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from toolaudit.classifier.local.concern import Concern
from toolaudit.classifier.local.context import Context
from toolaudit.classifier.local.paths import written
from toolaudit.classifier.local.requests import clauses, negated, requests
from toolaudit.classifier.local.starts import Start
from toolaudit.patterns import late

_WORD = late(r"[A-Za-z0-9_./-]+")

_INSTALLS = (
    "npm install|npm i|npm ci|npm add|yarn add|pnpm add|pnpm install|pip install|pip3 install|uv pip|uv add|poetry add|"
    "apt-get|apt|brew|gem install|cargo install|cargo add|go install|go get"
)

_TABLE: Final = (
    ("push pushing pushes", "git push|gh pr create|docker push"),
    ("commit commits committing", "git commit|git merge|git cherry-pick|git revert"),
    ("amend amending", "git commit *--amend*"),
    (
        "deploy deploys deploying deployment rollout ship",
        "*deploy*|kubectl apply|kubectl rollout|helm upgrade|helm install|vercel|fly|terraform apply|*--prod*",
    ),
    ("release releases releasing", "*release*|npm publish|cargo publish|twine"),
    ("publish publishing", "*publish*|twine|docker push"),
    ("install installs installing", _INSTALLS),
    ("delete deletes deleting remove removing erase", "rm|rmdir|git rm|git clean|shred|unlink|find *-delete*|truncate"),
    ("merge merging", "git merge|gh pr merge"),
    ("rebase rebasing", "git rebase"),
    ("tag tags tagging", "git tag"),
    ("branch branches", "git branch|git checkout -b|git switch -c"),
    ("migration migrations migrate migrating schema", "*migrat*|alembic|*db:migrate*|flyway|liquibase|psql|mysql"),
    (
        "database databases db",
        "psql|mysql|mongosh|redis-cli|sqlite3|dropdb|createdb|pg_dump|*migrat*|alembic",
    ),
    ("docker container containers", "docker|podman"),
    ("network internet", "curl|wget|ssh|scp|rsync|nc|git fetch|git pull|git push|git clone"),
    ("api", "curl|wget|http"),
    ("restart restarts restarting", "*restart*"),
    ("kill killing", "kill|pkill|killall"),
    ("test tests testing", "pytest|npm test|jest|go test|cargo test|make test"),
    ("server servers", "systemctl|npm run dev|npm start|kill|pkill|uvicorn"),
    ("pr prs request requests", "gh pr"),
)

ACTIONS: Final = {word: tuple(commands.split("|")) for words, commands in _TABLE for word in words.split()}
"""A word of a limit -> the commands it rules out: their first words, and behind `*` or alone a part that they hold."""

_EDITING: Final = frozenset(
    "alter altering change changes changing edit edits editing modify modifying write writing".split()
)
_TOUCHING: Final = _EDITING | frozenset("call calling open run running touch touching use using".split())
_LIFTING: Final = _EDITING | frozenset(
    "add apply build convert correct create delete do extend fix implement make move refactor remove rename repair "
    "replace rewrite update".split()
)
"""Verbs of a request that lifts "change nothing"."""
_EVERYTHING: Final = frozenset({"anything", "nothing", "file", "files", "code"})
_SMALL: Final = frozenset("and any don do it just look never not only please t the to without you".split())
_BUT = late(r"\b(?:without|except|instead of)\b", 2)
_KEEPS = late(r"\bkeep\b.*\blocal\b", 2)
_STAYS = late(r"\bstay on\b.*\bbranch\b", 2)


_WORKING = r"change|do|edit|make (?:your |the |any )?(?:changes|edits)|modify|touch|work|write"
_CONFINED = late(
    rf"(?:\b(?:only|just) (?:{_WORKING})|\b(?:{_WORKING}) only|\bstay (?:in|inside|within|under)|"
    r"\b(?:stick|limit|restrict|confine)(?: yourself| (?:the |your |all )?(?:changes|edits|work))? to)\b"
    r"[^/\n]{0,60}?((?:[\w.@-]+/)+[\w.@*-]*)",
    2,
)
"""A clause that names the one place where the work may be done."""
_ELSEWHERE: Final = ("/tmp/", "/dev/")


def find(starts: Sequence[Start], edited: str, context: Context) -> Iterator[Concern]:
    """What the user ruled out and did not lift, and the entries of the policy that name a command.

    `edited` is the file that an editing tool would write, or empty.
    """
    touched = [edited] * bool(edited) + [path for start in starts for path in written(start)]
    confined: tuple[str, ...] = ()
    standing: dict[str, str] = {}
    named: dict[str, frozenset[str]] = {}
    for message in context.messages:
        for request in requests(message):
            lifted = ACTIONS.get(request.head)
            standing = {word: said for word, said in standing.items() if ACTIONS[word] != lifted}
            if request.head in _LIFTING:
                named = {said: words for said, words in named.items() if _things(words) or not words & _EDITING}
        places = tuple(found[1] for clause in clauses(message) if (found := _CONFINED.search(clause)) is not None)
        confined = places or confined
        for clause in clauses(message):
            words = frozenset(word.lower().strip(".") for word in _WORD.findall(_ruled(clause)))
            if negated(clause):
                standing |= {word: message for word in sorted(words) if word in ACTIONS}
                if words & _TOUCHING:
                    named[clause] = words
            elif _KEEPS.search(clause):
                standing["push"] = message
            elif _STAYS.search(clause):
                named[clause] = frozenset({"checkout", "switch"})
    for word, message in standing.items():
        if any(_is_one(command, start) for command in ACTIONS[word] for start in starts):
            yield Concern("boundary", f"the user said: {message}")
    for clause, words in named.items():
        if any(_touches(words, start) for start in starts) or _edits(words, touched, context):
            yield Concern("boundary", f"the user said: {clause}")
    outside = next((path for path in touched if confined and not _within(path, confined, context)), None)
    if outside is not None:
        yield Concern("boundary", f"the user confined the work to {', '.join(confined)}, and this writes {outside}")
    yield from context.ruled_out(starts)


def _ruled(clause: str) -> str:
    """The part of a clause that can be ruled out: "the tests without the slow ones" says nothing against tests."""
    found = _BUT.search(clause)
    return clause[found.start() :] if found is not None and not negated(clause[: found.start()]) else clause


def _is_one(command: str, start: Start) -> bool:
    spelled = " ".join(start.words)
    first, star, part = command.partition("*")
    if star and part.rstrip("*") not in spelled:
        return False
    first = first.strip()
    return not first or spelled == first or spelled.startswith(f"{first} ")


def _touches(words: frozenset[str], start: Start) -> bool:
    """Whether a command names one of the words, or works below one of them as a path."""
    return _names(_things(words), [one for one in (*start.via, *start.words) if not one.startswith("-")])


def _edits(words: frozenset[str], touched: Sequence[str], context: Context) -> bool:
    """Whether a file is written that is ruled out, or any where all edits are."""
    things = _things(words)
    if not things:
        return bool(words & _EDITING) and any(not path.startswith(_ELSEWHERE) for path in touched)
    below = f"{context.question.cwd}/"
    return _names(things, [context.absolute(path).removeprefix(below) for path in touched])


def _things(words: frozenset[str]) -> frozenset[str]:
    return words - _TOUCHING - _EVERYTHING - _SMALL


def _names(things: frozenset[str], operands: Sequence[str]) -> bool:
    return any(
        one == thing or one.startswith(thing.rstrip("/") + "/")
        for thing in things
        if len(thing) > 2
        for one in map(str.lower, operands)
    )


def _within(path: str, places: Sequence[str], context: Context) -> bool:
    absolute = context.absolute(path)
    folders = [context.absolute(place.rstrip("*./")) for place in places]
    return absolute.startswith(_ELSEWHERE) or any(
        absolute == folder or absolute.startswith(f"{folder}/") for folder in folders
    )
