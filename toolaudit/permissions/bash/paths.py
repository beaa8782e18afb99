"""The paths a command names: operands of file programs, and targets of redirections, each judged like a file tool's.

Ask rules for paths do not reach shell commands (measured).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from toolaudit.model import Mode, ReasonType
from toolaudit.permissions.bash.parts import Part
from toolaudit.permissions.judgement import Objection
from toolaudit.permissions.paths import Operation, PathVerdict, absolute
from toolaudit.permissions.request import Request
from toolaudit.shell.path_operands import PathOperand, path_operands
from toolaudit.shell.reading import Word

WRITES = frozenset({">", ">>", "&>", "&>>", ">|", ">&"})
HARMLESS = frozenset({"/dev/null"})
"""Redirection targets that are no file write (documents, 2.4.1)."""

EDIT_MODES = frozenset({Mode.ACCEPT_EDITS, Mode.AUTO})
"""Modes that approve edits inside the working directories."""

_GLOB = re.compile(r"[*?\[]")
_TRAVERSAL = re.compile(r"[^/.][^/]*/\.\.(?:/|\Z)")
_TILDE_VARIANT = re.compile(r"~[^/]")


@dataclass(frozen=True, slots=True)
class Accesses:
    """What the paths of one part amount to."""

    denied: Objection | None = None
    unsafe: Objection | None = None
    objection: Objection | None = None
    writes: bool = False
    """Some operand is written to."""
    reads: bool = False
    """Some operand is read and is a relative path."""


def examine(parts: Sequence[Part], request: Request) -> tuple[Accesses, ...]:
    """The accesses of each part."""
    return tuple(_examine(part, request) for part in parts)


def kind_of(part: Part, request: Request) -> ReasonType | None:
    """The reason type of a part nobody granted.

    The client names none where the part writes to a path that no rule for edits allows and the mode does not either.
    """
    if request.mode in EDIT_MODES:
        return ReasonType.OTHER
    for operand in path_operands(part.words):
        if operand.operation != "read":
            text = _text(operand.word, request)
            path = absolute(text, request.workspace) if text is not None else None
            if path is None or request.paths.judge(path, Operation.WRITE).allow is None:
                return None
    return ReasonType.OTHER


def _examine(part: Part, request: Request) -> Accesses:
    denied = unsafe = objection = None
    writes = reads = False
    for found in _findings(part, request):
        writes = writes or found.writes
        reads = reads or found.reads
        denied = denied or found.denied
        unsafe = unsafe or found.unsafe
        objection = objection or found.objection
    return Accesses(denied, unsafe, objection, writes, reads)


def _findings(part: Part, request: Request) -> Iterator[Accesses]:
    for operand in path_operands(part.words):
        yield _operand(operand, part, request)
    for redirect in part.command.redirects:
        if redirect.operator in WRITES and not _duplicates(redirect.operator, redirect.target):
            yield _redirected(redirect.target, Operation.WRITE, request)
        elif redirect.operator == "<":
            yield _redirected(redirect.target, Operation.READ, request)


def _operand(operand: PathOperand, part: Part, request: Request) -> Accesses:
    writing = operand.operation != "read"
    text = _text(operand.word, request)
    if text is None:
        if writing:
            return Accesses(
                objection=Objection("a path that is only known at run time is written to", ReasonType.OTHER),
                writes=True,
            )
        return Accesses()
    if operand.word.value is None and _GLOB.search(text):
        if writing:
            return Accesses(
                objection=Objection("a glob pattern is written to; name the file", ReasonType.OTHER), writes=True
            )
        text = _fixed(text)
    if _TILDE_VARIANT.match(text):
        return Accesses(objection=Objection("a `~name` path needs a person", ReasonType.OTHER), writes=writing)
    if writing and text in HARMLESS:
        return Accesses()
    verdict = request.paths.judge(absolute(text, request.workspace), Operation.WRITE if writing else Operation.READ)
    found = _judged(verdict, operand.word.text, writing, request, operand=True)
    if found.objection is None and found.unsafe is None and _TRAVERSAL.search(text) and not text.startswith(".."):
        why = f"`..` after a directory in {text} may follow a link out of the working directory"
        return replace(found, objection=Objection(why, ReasonType.OTHER))
    return found


def _fixed(pattern: str) -> str:
    """The directory that a glob pattern starts from."""
    return _GLOB.split(pattern, maxsplit=1)[0].rpartition("/")[0] or ("/" if pattern.startswith("/") else ".")


def _redirected(target: Word, operation: Operation, request: Request) -> Accesses:
    writing = operation is Operation.WRITE
    if target.value in HARMLESS:
        return Accesses()
    if (target.value or "").startswith(("/dev/tcp/", "/dev/udp/")):
        return Accesses(objection=Objection("a redirection opens a network connection", ReasonType.OTHER))
    if target.value is None or _GLOB.search(target.text):
        return Accesses(objection=Objection("a redirection target that the shell expands", ReasonType.OTHER))
    verdict = request.paths.judge(absolute(target.value, request.workspace), operation)
    return _judged(verdict, target.text, writing, request, operand=False)


def _judged(verdict: PathVerdict, text: str, writing: bool, request: Request, *, operand: bool) -> Accesses:
    verb = "written to" if writing else "read"
    denied = unsafe = objection = None
    if verdict.deny is not None:
        denied = Objection(
            f"deny rule {verdict.deny.text} matches {text}, which is {verb}",
            ReasonType.SUBCOMMAND_RESULTS,
            verdict.deny,
        )
    if writing and verdict.safety is not None:
        unsafe = Objection(f"{text} is {verb}: {verdict.safety.why}", ReasonType.SAFETY_CHECK)
    if writing:
        edits = verdict.inside and (operand or request.mode in EDIT_MODES)
        if not edits and verdict.allow is None:
            objection = Objection(f"{text} is {verb}: {verdict.outside_why or 'no rule allows the edit'}", None)
    elif not verdict.inside and verdict.allow is None:
        objection = Objection(f"{text} is {verb}: {verdict.outside_why}", None)
    return Accesses(
        denied, unsafe, objection, operand and writing, operand and not writing and text[:1] not in ("/", "~")
    )


def _duplicates(operator: str, target: Word) -> bool:
    return operator == ">&" and (target.value or "").rstrip("-").isdigit()


def _text(word: Word, request: Request) -> str | None:
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
