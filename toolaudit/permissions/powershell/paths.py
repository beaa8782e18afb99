"""The paths a statement names: operands of cmdlets and targets of redirections, each judged like a file tool's.

Ask rules for paths do not reach shell commands, as in Bash.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from toolaudit.model import ReasonType
from toolaudit.patterns import late
from toolaudit.permissions.judgement import Objection
from toolaudit.permissions.path_verdict import Operation, PathVerdict
from toolaudit.permissions.powershell.binding import Binding, Operand
from toolaudit.permissions.powershell.cmdlets import CMDLETS, Role
from toolaudit.permissions.powershell.places import plain, posix
from toolaudit.permissions.powershell.statement import Statement
from toolaudit.permissions.request import Request
from toolaudit.structs import Struct, replace
from toolaudit.tools.paths import absolute

MAX_PLACES: Final = 4
"""A text that may be in more directories than this has lost track of where it is."""

HISTORY: Final = frozenset({"-", "+"})
"""What Set-Location takes for a place it was in before or after, as no file's name."""

TEXT_SOURCES: Final = frozenset({"get-childitem", "get-content", "out-string", "select-string"})
"""Cmdlets whose output Select-String searches: text, or files whose directory was judged already."""

_WILDCARD: Final = late(r"[*?\[\]]")
_ABSOLUTE: Final = late(r"[\\/~]|[A-Za-z]:")
_TRAVERSAL: Final = late(r"[^/.][^/]*/\.\.(?:/|\Z)")


class Accesses(Struct):
    """What the paths of one statement amount to."""

    denied: Objection | None = None
    unsafe: Objection | None = None
    objection: Objection | None = None
    writes: bool = False
    """Some operand is written to."""


class Place(Struct):
    """Where a statement may run: directory changes before it may have failed."""

    directories: tuple[str, ...]
    """Absolute; the working directory first."""
    known: bool = True
    """It can't be anywhere else."""

    @property
    def moved(self) -> bool:
        return len(self.directories) > 1 or not self.known

    def after(self, binding: Binding, request: Request) -> Place:
        """Where the next statement may run after a directory change."""
        targets = binding.operands
        path = posix(targets[0].text) if len(targets) == 1 and targets[0].word.literal else None
        if path in HISTORY:
            path = None
        if path is None or binding.unknown or _WILDCARD.search(path) or len(self.directories) >= MAX_PLACES:
            return replace(self, known=False)
        found = [_joined(path, directory, request) for directory in self.directories]
        return replace(self, directories=tuple(dict.fromkeys([*self.directories, *found])))


def examine(
    statement: Statement, binding: Binding | None, feeder: str | None, place: Place, request: Request
) -> Accesses:
    """The accesses of one statement; `feeder` is the full name of the command whose output it takes."""
    denied = unsafe = objection = None
    writes = False
    for found in _findings(statement, binding, feeder, place, request):
        denied = denied or found.denied
        unsafe = unsafe or found.unsafe
        objection = objection or found.objection
        writes = writes or found.writes
    return Accesses(denied, unsafe, objection, writes)


def _findings(
    statement: Statement, binding: Binding | None, feeder: str | None, place: Place, request: Request
) -> Iterator[Accesses]:
    if binding is not None:
        for operand in binding.operands:
            yield _operand(operand, place, request)
        if feeder is not None and _takes_paths(binding, feeder):
            why = "the paths it takes from the pipeline are only known at run time"
            yield Accesses(objection=Objection(why, ReasonType.OTHER))
    for target in statement.redirects:
        for item in target.items:
            yield _operand(Operand(item, Role.WRITE, target, exact=True), place, request)


def _takes_paths(binding: Binding, feeder: str) -> bool:
    """Whether a statement may take what comes from the pipeline for paths, or objects for their property `Path`."""
    if binding.operands or not binding.cmdlet.takes_paths:
        return False
    searches = "pattern" in binding.cmdlet.parameters
    return not (searches and (feeder in TEXT_SOURCES or feeder not in CMDLETS))


def _operand(operand: Operand, place: Place, request: Request) -> Accesses:
    writing = operand.role is Role.WRITE
    verdicts = list(_verdicts(operand, place, request))
    denied = unsafe = None
    verb = "written to" if writing else "read"
    for verdict in verdicts:
        if verdict.deny is not None and denied is None:
            kind = ReasonType.RULE if place.moved else ReasonType.SUBCOMMAND_RESULTS
            why = f"deny rule {verdict.deny.text} matches {operand.text}, which is {verb}"
            denied = Objection(why, kind, verdict.deny)
        if verdict.safety is not None and unsafe is None:
            why = f"{operand.text} is {verb}: {verdict.safety.why}"
            unsafe = Objection(why, ReasonType.SAFETY_CHECK, classifier_approvable=verdict.safety.approvable)
    return Accesses(denied, unsafe, _objection(operand, verdicts, place), writing)


def _verdicts(operand: Operand, place: Place, request: Request) -> Iterator[PathVerdict]:
    """What the policy says of the path, in each directory it may be relative to."""
    path = plain(operand.text, request.workspace, expand=not operand.word.literal)
    if path is None:
        return
    if not operand.exact and (wildcard := _WILDCARD.search(path)):
        path = path[: wildcard.start()].rpartition("/")[0] or ("/" if path.startswith("/") else ".")
    operation = Operation.WRITE if operand.role is Role.WRITE else Operation.READ
    for directory in place.directories:
        yield request.paths.judge(_joined(path, directory, request), operation)


def _objection(operand: Operand, verdicts: Sequence[PathVerdict], place: Place) -> Objection | None:
    """Why the access needs approval whatever rules for the command say."""
    writing = operand.role is Role.WRITE
    verb = "written to" if writing else "read"
    why = _unclear(operand, place)
    if why is not None:
        return Objection(why, ReasonType.OTHER)
    for verdict in verdicts:
        if not verdict.inside and verdict.allow is None:
            return Objection(f"{operand.text} is {verb}: {verdict.outside_why}", None)
        if verdict.suspicious:
            return Objection(f"{operand.text} has a form that means another file on Windows", ReasonType.OTHER)
    return None


def _unclear(operand: Operand, place: Place) -> str | None:
    """Why it can't be told which file an operand is."""
    text = operand.text
    if not operand.word.literal:
        return f"{text} is only known at run time"
    if "'" in text or '"' in text:
        return f"the path {text} holds a quote (documents, 3.5)"
    path = posix(text)
    if path is None:
        return f"{text} is a network share, a stream, or a path of another kind than files"
    wildcard = None if operand.exact else _WILDCARD.search(path)
    if wildcard is not None and operand.role is Role.WRITE:
        return f"{text} is a pattern that is written to; name the file"
    if (_TRAVERSAL.search(path) and not path.startswith("..")) or (wildcard and "/.." in path[wildcard.start() :]):
        return f"`..` after a directory in {text} may follow a link out of the working directory"
    if not place.known and not _ABSOLUTE.match(text):
        return f"the directory that {text} is relative to is only known at run time"
    return None


def _joined(path: str, directory: str, request: Request) -> str:
    relative = path[:1] not in ("/", "~")
    return absolute(f"{directory}/{path}" if relative else path, request.workspace)


def writes_unallowed(binding: Binding, place: Place, request: Request) -> bool:
    """Whether a path is written to that no Edit rule allows; the client then gives no type of reason, as in Bash."""
    return any(
        any(verdict.allow is None for verdict in _verdicts(operand, place, request))
        for operand in binding.operands
        if operand.role is Role.WRITE
    )
