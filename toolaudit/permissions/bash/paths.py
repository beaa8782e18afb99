"""The paths a command names: operands of file programs, and targets of redirections, each judged like a file tool's.

Ask rules for paths do not reach shell commands (measured).
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from toolaudit.model import ReasonType, Rule
from toolaudit.model.versions import Difference
from toolaudit.patterns import late
from toolaudit.permissions.bash.parts import Part
from toolaudit.permissions.judgement import Objection
from toolaudit.permissions.own_folders import holds_tokens, reaches_tokens
from toolaudit.permissions.path_verdict import Operation, PathVerdict
from toolaudit.permissions.request import Request
from toolaudit.shell.path_operands import PathOperand, path_operands
from toolaudit.shell.reading import Word
from toolaudit.shell.wrappers import SEEN_BY_DENY
from toolaudit.structs import Struct, replace
from toolaudit.tools.paths import absolute

WRITES = frozenset({">", ">>", "&>", "&>>", ">|", ">&"})
HARMLESS = frozenset({"/dev/null"})
"""Redirection targets that are no file write (documents, 2.4.1)."""


LATE_READERS = frozenset("cmp comm expand fmt fold numfmt pr rev tac tsort unexpand".split())
"""Programs whose operands an older client did not take for files (measured)."""

COPIERS = frozenset({"cp", "mv"})
MOVERS = frozenset({"ln", "mv", "rm"})
"""Programs that give a file another name, or take its name away."""

_GLOB = late(r"[*?\[]")
_TRAVERSAL = late(r"[^/.][^/]*/\.\.(?:/|\Z)")
_EXPANDABLE = late(r"[$`]|\A=")
"""What makes a path ask, though it is quoted."""
_TILDE_VARIANT = late(r"~[^/]")


class Accesses(Struct):
    """What the paths of one part amount to."""

    denied: Objection | None = None
    unsafe: Objection | None = None
    objection: Objection | None = None
    writes: bool = False
    """Some operand is written to."""
    reads: bool = False
    """Some operand is read and is a relative path."""
    merely_ungranted: bool = False
    """All that speaks against the paths is that no rule allows a write inside the working directories."""


class _Place(Struct):
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


def examine(parts: Sequence[Part], request: Request) -> tuple[Accesses, ...]:
    """The accesses of each part."""
    change = next((part for part in parts if part.program == "cd" and len(part.words) == 2), None)
    place = _Place(request, change is not None, change.words[1].value if change is not None else None)
    return tuple([_examine(part, place) for part in parts])


def denied_beside_subshell(parts: Sequence[Part], request: Request) -> Objection | None:
    """The deny rule for a path in a text that is refused for a subshell of one command only (measured)."""
    if sum("subshell" in part.command.context for part in parts) != 1:
        return None
    denied = next((access.denied for access in examine(parts, request) if access.denied is not None), None)
    return replace(denied, reason_type=ReasonType.RULE) if denied is not None else None


def kind_of(part: Part, request: Request) -> ReasonType | None:
    """The reason type of a part nobody granted.

    The client names none where the part writes to a path that no rule for edits allows and the mode does not either.
    """
    if request.mode.edits_silently:
        return ReasonType.OTHER
    for operand in path_operands(part.words) if part.words else ():
        if operand.operation != "read":
            text = _text(operand.word, request)
            path = absolute(text, request.workspace, request.directory) if text is not None else None
            if path is None or request.paths.judge(path, Operation.WRITE).allow is None:
                return None
    return ReasonType.OTHER


def _examine(part: Part, place: _Place) -> Accesses:
    denied = unsafe = objection = None
    writes = reads = False
    merely = True
    for found in _findings(part, place):
        writes = writes or found.writes
        reads = reads or found.reads
        merely = merely and (found.objection is None or found.merely_ungranted)
        denied = denied or found.denied
        unsafe = unsafe or found.unsafe
        objection = objection or found.objection
    return Accesses(denied, unsafe, objection, writes, reads, merely)


def _findings(part: Part, place: _Place) -> Iterator[Accesses]:
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
    for redirect in part.command.redirects:
        if redirect.operator in WRITES and not _duplicates(redirect.operator, redirect.target):
            yield _redirected(redirect.target, Operation.WRITE, place)
        elif redirect.operator == "<" and version.has(Difference.INPUT_REDIRECT_READS):
            yield _redirected(redirect.target, Operation.READ, place)


def _named_within(sources: Sequence[Word], targets: Sequence[PathOperand], place: _Place) -> Iterator[Accesses]:
    """What deny rules say of the names that files get in the target, whether that is a folder or not (measured)."""
    request = place.request
    for source in sources:
        for target in targets:
            name, folder = _text(source, request), _text(target.word, request)
            if name is not None and folder is not None:
                inner = f"{folder.rstrip('/')}/{posixpath.basename(name.rstrip('/'))}"
                verdict = request.paths.judge(absolute(inner, request.workspace, request.directory), Operation.WRITE)
                yield Accesses(denied=_judged(verdict, inner, True, place, operand=True).denied)


def _reached(part: Part, place: _Place) -> Iterator[Accesses]:
    """What `ln`, `mv` and `rm` reach that holds the client's sign-in tokens; a target counts as itself alone."""
    request, home = place.request, place.request.workspace.home
    operands = [word for word in part.words[1:] if not word.text.startswith("-")]
    into = part.program != "rm" and len(operands) > 1 and not any(word.text == "-t" for word in part.words)
    for word in operands:
        text = _text(word, request)
        if text is None:
            continue
        path = absolute(text, request.workspace, request.directory)
        reaches = holds_tokens if into and word is operands[-1] else reaches_tokens
        if reaches(path, home):
            yield Accesses(unsafe=_guarded(f"{part.program} on {text} reaches the client's sign-in tokens"))


def _guarded(why: str) -> Objection:
    return Objection(why, ReasonType.SAFETY_CHECK, classifier_approvable=False)


def _beyond_env(words: Sequence[Word]) -> Sequence[Word]:
    start = SEEN_BY_DENY["env"].start(words) if words[0].value == "env" else None
    return words if start is None else words[start:]


def _operand(operand: PathOperand, place: _Place, *, source: bool) -> Accesses:
    """The access to one operand; `source`: a command that writes reads it first."""
    request = place.request
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
    if operand.word.value is not None and _EXPANDABLE.search(text):
        why = f"a shell that reads {text} once more would expand it"
        return Accesses(objection=Objection(why, ReasonType.OTHER), writes=writing)
    if writing and text in HARMLESS:
        return Accesses()
    path = absolute(text, request.workspace, request.directory)
    verdict = request.paths.judge(path, Operation.WRITE if writing else Operation.READ)
    found = _judged(verdict, text, writing, place, operand=True)
    if source and found.denied is None and verdict.covered is not None:
        why = f"deny rule {verdict.covered.text} matches {text}, which is read"
        found = replace(found, denied=Objection(why, ReasonType.SUBCOMMAND_RESULTS, verdict.covered))
    if found.objection is None and found.unsafe is None and _TRAVERSAL.search(text) and not text.startswith(".."):
        why = f"`..` after a directory in {text} may follow a link out of the working directory"
        return replace(found, objection=Objection(why, ReasonType.OTHER))
    return found


def _is_pattern(word: Word) -> bool:
    return word.value is None and _GLOB.search(word.text) is not None


def _fixed(pattern: str) -> str:
    """The directory that a glob pattern starts from."""
    return _GLOB.split(pattern, maxsplit=1)[0].rpartition("/")[0] or ("/" if pattern.startswith("/") else ".")


def _redirected(target: Word, operation: Operation, place: _Place) -> Accesses:
    request = place.request
    writing = operation is Operation.WRITE
    if target.value in HARMLESS:
        return Accesses()
    if (target.value or "").startswith(("/dev/tcp/", "/dev/udp/")):
        return Accesses(objection=Objection("a redirection opens a network connection", ReasonType.OTHER))
    if target.value is None or _GLOB.search(target.text):
        text = _text(target, request) if writing else None
        home = request.workspace.home
        tokens = text is not None and holds_tokens(absolute(text, request.workspace, request.directory), home)
        return Accesses(
            unsafe=_guarded(f"{target.text} holds the client's sign-in tokens") if tokens else None,
            objection=Objection("a redirection target that the shell expands", ReasonType.OTHER),
        )
    verdict = request.paths.judge(absolute(target.value, request.workspace, request.directory), operation)
    return _judged(verdict, target.value, writing, place, operand=False)


def _judged(verdict: PathVerdict, text: str, writing: bool, place: _Place, *, operand: bool) -> Accesses:
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
    return Accesses(denied, unsafe, objection, operand and writing, reads, writing and verdict.inside)


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
