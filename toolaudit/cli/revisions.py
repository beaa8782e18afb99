"""Policies named on the command line: by a directory, a file, or a revision of the repository around here."""

from __future__ import annotations

import subprocess
from pathlib import Path

from toolaudit.model import Policy, Scope
from toolaudit.settings import SettingsError, locate
from toolaudit.settings.load import read
from toolaudit.settings.locate import LOCAL_SETTINGS, SETTINGS
from toolaudit.settings.merge import merge
from toolaudit.settings.parse import parse


def named_policy(name: str, *, cwd: str, home: str, scope: Scope = Scope.PROJECT) -> Policy:
    """The policy at a path; or `REVISION`, the project's two files there; or `REVISION:PATH`, one file there.

    A path that exists is taken for a path. Of a repository only blobs are read: no filter, hook or pager of it runs.
    Raises SettingsError where there is no such thing, or it can't be used.
    """
    if Path(name).exists():
        documents = [read(path, one) for one, path in locate(Path(name), scope).items()]
        return merge(documents, cwd=cwd, home=home, trusted=True)
    revision, colon, path = name.partition(":")
    if colon and path:
        data = _blob(revision, path)
        if data is None:
            raise _missing(name, "no such file in that revision")
        return merge([parse(data, scope, name, cwd)], cwd=cwd, home=home, trusted=True)
    if not _is_revision(revision):
        raise _missing(name, "neither a path nor a revision of a repository here")
    documents = [
        parse(data, place, f"{revision}:{path}", f"{cwd}/.claude")
        for place, path in ((Scope.PROJECT, SETTINGS), (Scope.LOCAL, LOCAL_SETTINGS))
        if (data := _blob(revision, path)) is not None
    ]
    return merge(documents, cwd=cwd, home=home, trusted=True)


def _missing(name: str, why: str) -> SettingsError:
    return SettingsError(
        f"expected settings, got: {why}", help="name a directory, a file, REVISION or REVISION:PATH", file=name
    )


def _is_revision(revision: str) -> bool:
    return (
        bool(revision)
        and _git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}") is not None
    )


def _blob(revision: str, path: str) -> bytes | None:
    """The file as it is in the revision; `path` is relative to the current directory."""
    if not revision or revision.startswith("-"):
        return None
    return _git("cat-file", "blob", f"{revision}:./{path}")


def _git(*arguments: str) -> bytes | None:
    try:
        done = subprocess.run(["git", "--no-pager", *arguments], capture_output=True, check=False, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None
