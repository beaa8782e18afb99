"""Directory changes inside one command text, which make what follows act somewhere else than the checks assume.

Sources: documents, 2.5.5; measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from toolaudit.model import Behavior, Policy
from toolaudit.model.versions import Difference
from toolaudit.model.workspace import Workspace
from toolaudit.patterns import late
from toolaudit.permissions.bash.accesses import Accesses
from toolaudit.permissions.bash.parts import Part
from toolaudit.permissions.bash.redirections import HARMLESS, WRITES
from toolaudit.permissions.request import Request
from toolaudit.shell.reading import Redirect, SimpleCommand
from toolaudit.shell.wrappers import SEEN_BY_DENY
from toolaudit.structs import Struct, replace

_RECURSIVE = late(r"-[A-Za-z]*[rR]|--recursive|--dereference-recursive")
CHANGES = frozenset({"cd", "pushd", "popd"})
VERSION_CONTROL = frozenset({"git"})
"""Programs that trust configuration of the directory they run in; the client looks for this name alone (measured)."""


def changes_directory(part: Part) -> bool:
    return part.program in CHANGES


def stays(part: Part, workspace: Workspace) -> bool:
    """Whether a `cd` goes to the directory it is in: `cd .`, or the working directory spelled out."""
    target = part.words[1].value if len(part.words) == 2 else None
    return target is not None and (target in (".", "./") or target.rstrip("/") == workspace.cwd)


class Guard(Struct):
    """Why a text that changes directory asks, whatever allows its parts."""

    why: str
    parts: frozenset[int] = frozenset()
    """Where the parts stand that it is about; none: it is about the text as a whole."""
    redirects: bool = False
    """It is about output redirections."""


def guard(parts: Sequence[Part], request: Request, accesses: Sequence[Accesses]) -> Guard | None:
    """The guard of a text that changes directory, if it has one."""
    count = _changes(parts, request.here)
    if count == 0:
        return None
    if count > 1:
        return Guard("several directory changes in one command")
    if any(_controls_versions(part) for part in parts):
        return Guard(
            "a version-control command after a directory change can pick up that directory's hooks and configuration"
        )
    found = {}
    for at, (part, access) in enumerate(zip(parts, accesses, strict=True)):
        why = _why(part, access, request)
        if why is not None:
            found[at] = why
    for why in _WHYS:
        if why in found.values():
            return Guard(f"a directory change with {why}", frozenset(found), why == _OUTPUT)
    return None


_OUTPUT: Final = "an output redirection"
_WRITE: Final = "a write"
_INPUT: Final = "an input redirection"
_READ: Final = "a read that a deny rule may be about"
_WHYS: Final = (_OUTPUT, _WRITE, _INPUT, _READ)


def _why(part: Part, access: Accesses, request: Request) -> str | None:
    """What a part does that a directory change makes unsafe."""
    if redirects_output(part):
        return _OUTPUT
    if access.writes:
        return _WRITE
    if request.version.has(Difference.INPUT_REDIRECT_READS) and any(
        redirect.operator == "<" and redirect.target.value not in HARMLESS for redirect in part.command.redirects
    ):
        return _INPUT
    reads = not changes_directory(part) and (access.reads or _reads_directory(part))
    if reads and request.version.has(Difference.CD_GUARDS_READS) and _denies_reads(request.policy):
        return _READ
    return None


def moves(parts: Sequence[Part], workspace: Workspace) -> bool:
    """Whether a text changes directory."""
    return _changes(parts, workspace) > 0


def moves_twice(parts: Sequence[Part], workspace: Workspace) -> bool:
    """Whether a text changes directory more than once."""
    return _changes(parts, workspace) > 1


def moves_repository(parts: Sequence[Part], workspace: Workspace) -> bool:
    """Whether a text changes directory and runs a version-control command."""
    return moves(parts, workspace) and any(map(_controls_versions, parts))


def _changes(parts: Sequence[Part], workspace: Workspace) -> int:
    return sum(changes_directory(part) and not stays(part, workspace) for part in parts)


def _reads_directory(part: Part) -> bool:
    """Whether a command without a path reads the directory it runs in."""
    operands = [word for word in part.words[1:] if not word.text.startswith("-")]
    if part.program in ("ls", "find"):
        return not operands
    if part.program == "grep":
        return len(operands) == 1 and any(_RECURSIVE.match(word.text) for word in part.words[1:])
    return part.program == "rg" and len(operands) == 1


def _controls_versions(part: Part) -> bool:
    words = part.words
    if not words:
        return False
    if words[0].value == "xargs":
        return any(word.value in VERSION_CONTROL for word in words[1:])
    if words[0].value == "env" and (start := SEEN_BY_DENY["env"].start(words)) is not None:
        words = words[start:]
    return words[0].value in VERSION_CONTROL


def redirects_output(part: Part) -> bool:
    return any(map(_is_output, part.command.redirects))


def unredirected(command: SimpleCommand) -> SimpleCommand:
    """`command` without the redirections of its output to files."""
    kept = tuple([redirect for redirect in command.redirects if not _is_output(redirect)])
    return command if len(kept) == len(command.redirects) else replace(command, redirects=kept)


def _is_output(redirect: Redirect) -> bool:
    target = redirect.target.value
    duplicates = redirect.operator == ">&" and (target or "").isdigit()
    return redirect.operator in WRITES and target not in HARMLESS and not duplicates


def _denies_reads(policy: Policy) -> bool:
    return any(rule.tool == "Read" and rule.specifier is not None for rule in policy.rules_for(Behavior.DENY))
