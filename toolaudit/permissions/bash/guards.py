"""Directory changes inside one command text, which make what follows act somewhere else than the checks assume.

Sources: documents, 2.5.5; measured.
"""

from __future__ import annotations

from collections.abc import Sequence

from toolaudit.model.workspace import Workspace
from toolaudit.permissions.bash.parts import Part

CHANGES = frozenset({"cd", "pushd", "popd", "chdir"})
VERSION_CONTROL = frozenset({"git", "hg", "svn", "jj", "sl"})
WRITES = frozenset({">", ">>", "&>", "&>>", ">|", ">&"})


def changes_directory(part: Part) -> bool:
    return part.program in CHANGES


def stays(part: Part, workspace: Workspace) -> bool:
    """Whether a `cd` goes to the directory it is in: `cd .`, or the working directory spelled out."""
    target = part.words[1].value if len(part.words) == 2 else None
    return target is not None and (target in (".", "./") or target.rstrip("/") == workspace.cwd)


def guard(parts: Sequence[Part], workspace: Workspace, *, writes: bool) -> str | None:
    """Why a text that changes directory asks; `writes`: some part writes to a path."""
    changes = [part for part in parts if changes_directory(part)]
    if len(changes) > 1:
        return "several directory changes in one command"
    if not changes or stays(changes[0], workspace):
        return None
    if any(part.program in VERSION_CONTROL for part in parts):
        return "a version-control command after a directory change can pick up that directory's hooks and configuration"
    if any(_redirects_output(part) for part in parts):
        return "a directory change with an output redirection"
    if writes:
        return "a directory change with a write"
    return None


def _redirects_output(part: Part) -> bool:
    return any(
        redirect.operator in WRITES
        and redirect.target.value != "/dev/null"
        and not (redirect.operator == ">&" and (redirect.target.value or "").isdigit())
        for redirect in part.command.redirects
    )
