"""Path rules: `Read(...)` and `Edit(...)` with a specifier, matched against absolute paths.

    specifier      root of the pattern
    //x            the file system
    ~/x            the home directory
    /x             the directory the rule's file stands for (`Rule.root`)
    x  ./x         the working directory; without a further slash, at any depth below it. In deny and ask rules, every
                   other working directory as well
    !x             the working directory; re-admits what an earlier rule of the same list and file matched

Everything after the root is a gitignore pattern (see `toolaudit.rules.ignore`). A final `/**` is cut off, so that
`dir/**` means the directory and what is below it. That makes a relative `dir/**` float: in a deny or ask list it
matches at any depth, in an allow list only below the working directory itself. In an allow list, a pattern that
starts with `#` is a comment and a repeated one keeps its first place. A path that is not below the root never matches.
Sources: documents, 4.4 to 4.7; measured.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from toolaudit.model import Behavior, Rule
from toolaudit.patterns import late
from toolaudit.rules.ignore import END, NOWHERE, Pattern, fold, translate, units
from toolaudit.structs import Struct

_FLAGS = re.DOTALL | re.ASCII


class PathRules:
    """The rules of one tool and one behaviour, compiled: `find` stays cheap for hundreds of them."""

    __slots__ = ("_groups",)

    def __init__(self, rules: Iterable[Rule], *, cwd: str, home: str, further: Sequence[str] = ()) -> None:
        """Takes rules in policy order; one without a specifier says nothing of paths and is left out.

        `further` are the working directories besides `cwd`.
        """
        families: dict[tuple[str, str, str], list[_Entry]] = {}
        for rule in rules:
            for entry in _read(rule, (cwd, *further), home):
                families.setdefault((rule.source.scope, entry.anchor, entry.root), []).append(entry)
        plain: dict[str, list[_Entry]] = {}
        groups: list[_Group] = []
        for (_, _, root), entries in families.items():
            if any(entry.negated for entry in entries):
                groups.append(_Ordered(root, entries))
            else:
                plain.setdefault(root, []).extend(entries)
        self._groups: tuple[_Group, ...] = (*(_Union(root, entries) for root, entries in plain.items()), *groups)

    def __bool__(self) -> bool:
        return bool(self._groups)

    def find(self, path: str) -> Rule | None:
        """A rule that matches the absolute, normalised `path`, or None."""
        if not self._groups:
            return None
        folded = fold(path)
        for group in self._groups:
            if path.startswith(group.prefix) and (rule := group.find(folded)) is not None:
                return rule
        return None


class Branch(Struct):
    """One meaning of a path rule: a pattern below an absolute directory."""

    root: str
    pattern: Pattern
    negated: bool
    """It re-admits what earlier rules of its list and file matched."""


def branches(rule: Rule, *, cwd: str, home: str, further: Sequence[str] = ()) -> Iterator[Branch]:
    """What `rule` means in each working directory; takes the same directories as PathRules."""
    for entry in _read(rule, (cwd, *further), home):
        yield Branch(entry.root, entry.pattern, entry.negated)


class _Entry(Struct):
    rule: Rule
    anchor: str
    root: str
    negated: bool
    pattern: Pattern


def _read(rule: Rule, directories: Sequence[str], home: str) -> Iterator[_Entry]:
    text = rule.specifier
    if text is None:
        return
    if text.startswith("//"):
        yield _Entry(rule, "//", "/", False, _translate(text[1:], rule))
    elif text.startswith("~/"):
        yield _Entry(rule, "~/", home, False, _translate(text[1:], rule))
    elif text.startswith("/"):
        yield _Entry(rule, "/", rule.root, False, _translate(text, rule))
    elif rule.behavior is not Behavior.ALLOW or not text.startswith("#"):
        negated = text.startswith("!")
        pattern = _translate(text[1:] if negated else text.removeprefix("./"), rule)
        for directory in directories[:1] if rule.behavior is Behavior.ALLOW else directories:
            yield _Entry(rule, "", directory, negated, pattern)


def _translate(text: str, rule: Rule) -> Pattern:
    if not text.endswith("/**"):
        return translate(text)
    text = text[:-3]
    if text.strip("/") == "":
        return translate("**")
    if "/" not in text and rule.behavior is Behavior.ALLOW:
        text = "/" + text
    return translate(text)


class _Group(Protocol):
    prefix: str

    def find(self, path: str) -> Rule | None:
        """The rule that decides on the folded `path`, which is below the group's root."""


class _Union:
    """Rules of one root without a `!`: one search over all of them."""

    __slots__ = ("_anchored", "_floating", "_rules", "_start", "prefix")

    def __init__(self, root: str, entries: Sequence[_Entry]) -> None:
        self.prefix = _below(root)
        self._start = len(units(self.prefix))
        anchored = [entry for entry in entries if not entry.pattern.floating]
        floating = [entry for entry in entries if entry.pattern.floating]
        self._anchored = late(_either(anchored), _FLAGS)
        self._floating = late(f"(?<=/)(?:{_either(floating)})", _FLAGS) if floating else None
        self._rules = [entry.rule for entry in (*anchored, *floating)]

    def find(self, path: str) -> Rule | None:
        match = self._anchored.match(path, self._start)
        if match is not None:
            return self._rules[(match.lastindex or 1) - 1]
        if self._floating is not None and (match := self._floating.search(path, self._start)) is not None:
            return self._rules[self._anchored.groups + (match.lastindex or 1) - 1]
        return None


class _Ordered:
    """Rules of one list, file and root with a `!` among them: the last one that matches decides, from the top down.

    INVARIANT: what is below a matched directory can't be re-admitted, as in git.
    """

    __slots__ = ("_start", "_steps", "prefix")

    def __init__(self, root: str, entries: Sequence[_Entry]) -> None:
        self.prefix = _below(root)
        self._start = len(units(self.prefix))
        if entries[0].rule.behavior is Behavior.ALLOW:
            entries = tuple({entry.rule.text: entry for entry in entries}.values())
        self._steps = [(late(_whole(entry.pattern), _FLAGS), entry) for entry in entries]

    def find(self, path: str) -> Rule | None:
        start = self._start
        end = path.find("/", start)
        while end >= 0:
            if (rule := self._at(path, start, end, below=True)) is not None:
                return rule
            end = path.find("/", end + 1)
        return self._at(path, start, len(path), below=False)

    def _at(self, path: str, start: int, end: int, *, below: bool) -> Rule | None:
        found: Rule | None = None
        for expression, entry in self._steps:
            if (below or not entry.pattern.below) and expression.fullmatch(path, start, end) is not None:
                found = None if entry.negated else entry.rule
        return found


def _below(root: str) -> str:
    return root if root.endswith("/") else root + "/"


def _either(entries: Sequence[_Entry]) -> str:
    return "|".join(f"({entry.pattern.body}{'(?=/)' if entry.pattern.below else END})" for entry in entries) or NOWHERE


def _whole(pattern: Pattern) -> str:
    return f"(?:[^/]+/)*?{pattern.body}" if pattern.floating else pattern.body
