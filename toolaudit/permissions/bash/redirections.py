"""The targets of redirections, each judged as a file tool's path is.

Sources: documents, 2.4.1; measured.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.model import ReasonType
from toolaudit.model.versions import Difference
from toolaudit.permissions.bash.accesses import GLOB, TILDE_VARIANT, Accesses, Hidden, Place, guarded, judged, text_of
from toolaudit.permissions.bash.parts import Part
from toolaudit.permissions.judgement import Objection
from toolaudit.permissions.own_folders import holds_tokens
from toolaudit.permissions.path_verdict import Operation
from toolaudit.shell.reading import Word
from toolaudit.structs import replace
from toolaudit.tools.paths import absolute

WRITES = frozenset({">", ">>", "&>", "&>>", ">|", ">&"})
HARMLESS = frozenset({"/dev/null"})
"""Redirection targets that are no file write (documents, 2.4.1)."""


def redirections(part: Part, before: Part | None, place: Place) -> Iterator[Accesses]:
    """The accesses of the redirections of `part`, behind the part `before`."""
    if _is_test(part, before):
        return
    for redirect in part.command.redirects:
        if redirect.operator in WRITES and not _duplicates(redirect.operator, redirect.target):
            yield _target(redirect.target, Operation.WRITE, place)
        elif redirect.operator == "<" and place.request.version.has(Difference.INPUT_REDIRECT_READS):
            yield _target(redirect.target, Operation.READ, place)


def _target(target: Word, operation: Operation, place: Place) -> Accesses:
    request = place.request
    writing = operation is Operation.WRITE
    if target.value in HARMLESS:
        return Accesses()
    if (target.value or "").startswith(("/dev/tcp/", "/dev/udp/")):
        return Accesses(objection=Objection("a redirection opens a network connection", ReasonType.OTHER))
    if target.value is not None and not GLOB.search(target.text):
        verdict = request.paths.judge(absolute(target.value, request.workspace, request.directory), operation)
        found = judged(verdict, target.value, writing, place, operand=False)
        silent = not writing or found.unsafe is not None or (verdict.inside and request.mode.edits_silently)
        return found if silent else replace(found, hides=Hidden.SAFETY)
    expands = Objection("a redirection target that the shell expands", ReasonType.OTHER)
    text = text_of(target, request) if _is_quoted(target) or "variable" not in target.features else None
    if text is None or TILDE_VARIANT.match(text):
        return Accesses(objection=expands, hides=Hidden.ALL if writing else Hidden.NOTHING)
    path = absolute(text, request.workspace, request.directory)
    found = judged(request.paths.judge(path, operation), text, writing, place, operand=False)
    found = replace(found, unsafe=None, always=found.unsafe)
    if writing and found.always is None and holds_tokens(path, request.workspace.home):
        found = replace(found, always=guarded(f"{target.text} holds the client's sign-in tokens"))
    if writing or GLOB.search(target.text):
        hides = Hidden.SAFETY if writing else Hidden.NOTHING
        return replace(found, objection=expands, hides=hides, merely_ungranted=False)
    return found


def _is_quoted(word: Word) -> bool:
    """Whether double quotes enclose the whole word."""
    return len(word.text) > 1 and word.text.startswith('"') and word.text.find('"', 1) == len(word.text) - 1


def _duplicates(operator: str, target: Word) -> bool:
    return operator == ">&" and (target.value or "").rstrip("-").isdigit()


def _is_test(part: Part, before: Part | None) -> bool:
    """Whether it is a test in brackets or double parentheses, or stands behind one: the client looks at neither's
    redirections (measured)."""
    test = part if part.words else before
    behind = before is not None and not part.words and part.command.span[0] - before.command.span[1] <= 1
    return test is not None and (test is part or behind) and test.command.text.startswith(("[", "(("))
