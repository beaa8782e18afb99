"""The paths a command names: operands of file programs, and targets of redirections, each judged like a file tool's.

Ask rules for paths do not reach shell commands (measured).
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from itertools import chain

from toolaudit.model import ReasonType
from toolaudit.model.versions import Difference
from toolaudit.patterns import late
from toolaudit.permissions.bash.accesses import GLOB, TILDE_VARIANT, Accesses, Place, beside, guarded, judged, text_of
from toolaudit.permissions.bash.parts import Part
from toolaudit.permissions.bash.redirections import HARMLESS, redirections
from toolaudit.permissions.judgement import Objection
from toolaudit.permissions.own_folders import holds_tokens, reaches_tokens
from toolaudit.permissions.path_verdict import Operation
from toolaudit.permissions.request import Request
from toolaudit.shell.path_operands import PathOperand, path_operands
from toolaudit.shell.reading import Word
from toolaudit.shell.wrappers import SEEN_BY_DENY
from toolaudit.structs import replace
from toolaudit.tools.paths import absolute

LATE_READERS = frozenset("cmp comm expand fmt fold numfmt pr rev tac tsort unexpand".split())
"""Programs whose operands an older client did not take for files (measured)."""

COPIERS = frozenset({"cp", "mv"})
MOVERS = frozenset({"ln", "mv", "rm"})
"""Programs that give a file another name, or take its name away."""

_TRAVERSAL = late(r"[^/.][^/]*/\.\.(?:/|\Z)")
_EXPANDABLE = late(r"[$`]|\A=")
"""What makes a path ask, though it is quoted."""


def examine(parts: Sequence[Part], request: Request) -> tuple[Accesses, ...]:
    """The accesses of each part."""
    change = next((part for part in parts if part.program == "cd" and len(part.words) == 2), None)
    place = Place(request, change is not None, change.words[1].value if change is not None else None)
    return tuple([_examine(part, before, place) for before, part in zip((None, *parts), parts, strict=False)])


def kind_of(part: Part, request: Request) -> ReasonType | None:
    """The reason type of a part nobody granted.

    The client names none where the part writes to a path that no rule for edits allows and the mode does not either.
    """
    if request.mode.edits_silently:
        return ReasonType.OTHER
    for operand in path_operands(part.words) if part.words else ():
        if operand.operation != "read":
            text = text_of(operand.word, request)
            path = absolute(text, request.workspace, request.directory) if text is not None else None
            if path is None or request.paths.judge(path, Operation.WRITE).allow is None:
                return None
    return ReasonType.OTHER


def _examine(part: Part, before: Part | None, place: Place) -> Accesses:
    targets = tuple(redirections(part, before, place))
    operands = _operands(part, place)
    if targets:
        hidden = {target.hides for target in targets}
        operands = (beside(found, hidden) for found in operands)
    denied = unsafe = always = objection = None
    writes = reads = False
    merely = True
    for found in chain(operands, targets):
        writes = writes or found.writes
        reads = reads or found.reads
        merely = merely and (found.objection is None or found.merely_ungranted)
        denied = denied or found.denied
        unsafe = unsafe or found.unsafe
        always = always or found.always
        objection = objection or found.objection
    return Accesses(denied, unsafe, always, objection, writes, reads, merely_ungranted=merely)


def _operands(part: Part, place: Place) -> Iterator[Accesses]:
    version = place.request.version
    if part.program in MOVERS and version.has(Difference.TOKENS_ARE_GUARDED):
        yield from _reached(part, place)
    operands = path_operands(_beyond_env(part.words)) if part.words else ()
    if part.program in LATE_READERS and not version.has(Difference.TEXT_FILTERS_READ):
        operands = ()
    if part.program in ("cp", "mv") and not version.has(Difference.COPY_READS_SOURCE):
        operands = tuple(operand for operand in operands if operand.operation != "read")
    sources = {"cp": operands[:-1], "mv": operands[:-1], "sed": operands}.get(part.program or "", ())
    if part.program != "sed" and not version.has(Difference.COPY_READS_SOURCE):
        sources = ()
    copied: Sequence[Word] = ()
    if part.program in COPIERS and version.has(Difference.COPY_READS_SOURCE):
        copied = [operand.word for operand in operands if operand.operation == "read"]
        yield from _named_within(copied, operands[-1:], place)
    for operand in operands:
        found = _operand(operand, place, source=operand in sources)
        if part.program == "cp" and operand.operation == "write" and operand.word in copied:
            found = replace(found, denied=None)
        unclear = part.program == "sed" and found.objection is None and _is_pattern(operand.word)
        yield (
            replace(found, objection=Objection("sed on a glob pattern; name the file", ReasonType.OTHER))
            if unclear
            else found
        )


def _named_within(sources: Sequence[Word], targets: Sequence[PathOperand], place: Place) -> Iterator[Accesses]:
    """What deny rules say of the names that files get in the target, whether that is a folder or not (measured)."""
    request = place.request
    for source in sources:
        for target in targets:
            name, folder = text_of(source, request), text_of(target.word, request)
            if name is not None and folder is not None:
                inner = f"{folder.rstrip('/')}/{posixpath.basename(name.rstrip('/'))}"
                verdict = request.paths.judge(absolute(inner, request.workspace, request.directory), Operation.WRITE)
                yield Accesses(denied=judged(verdict, inner, True, place, operand=True).denied)


def _reached(part: Part, place: Place) -> Iterator[Accesses]:
    """What `ln`, `mv` and `rm` reach that holds the client's sign-in tokens; a target counts as itself alone."""
    request, home = place.request, place.request.workspace.home
    operands = [word for word in part.words[1:] if not word.text.startswith("-")]
    into = part.program != "rm" and len(operands) > 1 and not any(word.text == "-t" for word in part.words)
    for word in operands:
        text = text_of(word, request)
        if text is None:
            continue
        path = absolute(text, request.workspace, request.directory)
        reaches = holds_tokens if into and word is operands[-1] else reaches_tokens
        if reaches(path, home):
            yield Accesses(always=guarded(f"{part.program} on {text} reaches the client's sign-in tokens"))


def _beyond_env(words: Sequence[Word]) -> Sequence[Word]:
    start = SEEN_BY_DENY["env"].start(words) if words[0].value == "env" else None
    return words if start is None else words[start:]


def _operand(operand: PathOperand, place: Place, *, source: bool) -> Accesses:
    """The access to one operand; `source`: a command that writes reads it first."""
    request = place.request
    writing = operand.operation != "read"
    text = text_of(operand.word, request)
    if text is None:
        if writing:
            return Accesses(
                objection=Objection("a path that is only known at run time is written to", ReasonType.OTHER),
                writes=True,
            )
        return Accesses()
    if operand.word.value is None and GLOB.search(text):
        if writing:
            return Accesses(
                objection=Objection("a glob pattern is written to; name the file", ReasonType.OTHER), writes=True
            )
        text = _fixed(text)
    if TILDE_VARIANT.match(text):
        return Accesses(objection=Objection("a `~name` path needs a person", ReasonType.OTHER), writes=writing)
    if operand.word.value is not None and _EXPANDABLE.search(text):
        why = f"a shell that reads {text} once more would expand it"
        return Accesses(objection=Objection(why, ReasonType.OTHER), writes=writing)
    if writing and text in HARMLESS:
        return Accesses()
    path = absolute(text, request.workspace, request.directory)
    verdict = request.paths.judge(path, Operation.WRITE if writing else Operation.READ)
    found = judged(verdict, text, writing, place, operand=True)
    if source and found.denied is None and verdict.covered is not None:
        why = f"deny rule {verdict.covered.text} matches {text}, which is read"
        found = replace(found, denied=Objection(why, ReasonType.SUBCOMMAND_RESULTS, verdict.covered))
    if found.objection is None and found.unsafe is None and _TRAVERSAL.search(text) and not text.startswith(".."):
        why = f"`..` after a directory in {text} may follow a link out of the working directory"
        return replace(found, objection=Objection(why, ReasonType.OTHER))
    return found


def _is_pattern(word: Word) -> bool:
    return word.value is None and GLOB.search(word.text) is not None


def _fixed(pattern: str) -> str:
    """The directory that a glob pattern starts from."""
    return GLOB.split(pattern, maxsplit=1)[0].rpartition("/")[0] or ("/" if pattern.startswith("/") else ".")
