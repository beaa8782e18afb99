"""What naming a path amounts to: an operand of a file program or the target of a redirection."""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum

from toolaudit.model import ReasonType, Rule
from toolaudit.model.versions import Difference
from toolaudit.patterns import late
from toolaudit.permissions.judgement import Objection
from toolaudit.permissions.path_verdict import Operation, PathVerdict
from toolaudit.permissions.request import Request
from toolaudit.shell.reading import Word
from toolaudit.structs import Struct, replace
from toolaudit.tools.paths import absolute

GLOB = late(r"[*?\[]")
TILDE_VARIANT = late(r"~[^/]")


class Hidden(Enum):
    """What the client does not come to look at."""

    NOTHING = "nothing"
    SAFETY = "what safety checks say"
    ALL = "what deny rules say, too"


class Accesses(Struct):
    """What the paths of one part amount to."""

    denied: Objection | None = None
    unsafe: Objection | None = None
    """A safety check objects, unless a directory change or a redirection makes the client ask before it looks."""
    always: Objection | None = None
    """A safety check objects, and nothing hides it."""
    objection: Objection | None = None
    writes: bool = False
    """Some operand is written to."""
    reads: bool = False
    """Some operand is read and is a relative path."""
    hides: Hidden = Hidden.NOTHING
    """What a redirection keeps the client from seeing of the operands beside it (measured)."""
    merely_ungranted: bool = False
    """All that speaks against the paths is that no rule allows a write inside the working directories."""


def beside(operand: Accesses, hidden: Collection[Hidden]) -> Accesses:
    """What is seen of an operand beside redirections that hide so much."""
    if Hidden.ALL in hidden:
        return replace(operand, denied=None, unsafe=None)
    return replace(operand, unsafe=None) if Hidden.SAFETY in hidden and operand.unsafe is not None else operand


class Place(Struct):
    """Where the paths of a text are relative to: the working directory, and a directory the text changes to."""

    request: Request
    moved: bool
    target: str | None
    """Where to, when that is plainly written."""

    def denied(self, text: str, verdict: PathVerdict, operation: Operation) -> Rule | None:
        """The deny rule for a path as it stands, or as it is after the directory change."""
        if verdict.deny is not None or self.target is None or text[:1] in ("/", "~"):
            return verdict.deny
        if not self.request.version.has(Difference.CD_GUARDS_READS):
            return None
        there = absolute(f"{self.target}/{text}", self.request.workspace, self.request.directory)
        return self.request.paths.judge(there, operation).deny


def judged(verdict: PathVerdict, text: str, writing: bool, place: Place, *, operand: bool) -> Accesses:
    verb = "written to" if writing else "read"
    denied = unsafe = objection = None
    rule = place.denied(text, verdict, verdict.operation)
    if rule is not None:
        kind = ReasonType.RULE if place.moved else ReasonType.SUBCOMMAND_RESULTS
        denied = Objection(f"deny rule {rule.text} matches {text}, which is {verb}", kind, rule)
    if writing and verdict.safety is not None:
        approvable = verdict.safety.approvable
        why = f"{text} is {verb}: {verdict.safety.why}"
        unsafe = Objection(why, ReasonType.SAFETY_CHECK, classifier_approvable=approvable)
    if writing:
        edits = verdict.inside and (operand or place.request.mode.edits_silently)
        if not edits and verdict.allow is None:
            objection = Objection(f"{text} is {verb}: {verdict.outside_why or 'no rule allows the edit'}", None)
    elif not verdict.inside and verdict.allow is None:
        objection = Objection(f"{text} is {verb}: {verdict.outside_why}", None)
    reads = operand and not writing and text[:1] not in ("/", "~")
    return Accesses(
        denied=denied,
        unsafe=unsafe,
        objection=objection,
        writes=operand and writing,
        reads=reads,
        merely_ungranted=writing and verdict.inside,
    )


def guarded(why: str) -> Objection:
    return Objection(why, ReasonType.SAFETY_CHECK, classifier_approvable=False)


def text_of(word: Word, request: Request) -> str | None:
    """The path a word stands for as far as the client can tell; a glob pattern stays in it."""
    if word.value is not None:
        return word.value
    if "command-substitution" in word.features:
        return None
    text = word.text.replace('"', "").replace("'", "")
    if "variable" in word.features:
        text = text.replace("$HOME", request.workspace.home)
        if "$" in text:
            return None
    return text
