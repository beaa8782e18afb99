from __future__ import annotations

import os
import stat
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from toolaudit.model import Policy, Scope
from toolaudit.settings.document import Document
from toolaudit.settings.errors import SettingsError
from toolaudit.settings.merge import merge
from toolaudit.settings.parse import MAX_BYTES, describe, parse

if TYPE_CHECKING:
    from pathlib import Path  # costs a one-shot check a tenth of its time


def load(
    *,
    project: Path | None = None,
    user: Path | None = None,
    local: Path | None = None,
    managed: Path | None = None,
    flag: Path | None = None,
    cli_allow: Sequence[str] = (),
    cli_ask: Sequence[str] = (),
    cli_deny: Sequence[str] = (),
    home: str,
    cwd: str,
    trusted: bool = True,
) -> Policy:
    """The policy that these settings files and the rules of the command line make together.

    `cwd` and `home` are the absolute directories the policy is read for; nothing is read but the files named. Raises
    SettingsError where a file is missing, unreadable or one the client would drop.
    """
    files = {Scope.MANAGED: managed, Scope.FLAG: flag, Scope.LOCAL: local, Scope.PROJECT: project, Scope.USER: user}
    documents = [read(path, scope) for scope, path in files.items() if path is not None]
    rules = {"allow": list(cli_allow), "ask": list(cli_ask), "deny": list(cli_deny)}
    if any(rules.values()):
        documents.append(Document(Scope.CLI, {"permissions": rules}))
    return merge(documents, cwd=cwd, home=home, trusted=trusted)


def load_objects(
    scopes: Mapping[Scope, object], *, cwd: str, home: str, trusted: bool = True, flag_directory: str | None = None
) -> Policy:
    """The policy of settings given as values, by scope: an object, or the text of a file (which gives positions).

    `flag_directory` is where the file of the `flag` scope would lie; without it, that is `cwd`. Raises SettingsError
    where the client would drop one of them.
    """
    documents = []
    for scope, value in scopes.items():
        directory = flag_directory if scope is Scope.FLAG else None
        if isinstance(value, str):
            documents.append(parse(value, scope, f"<{scope} settings>", directory))
        elif isinstance(value, Mapping):
            documents.append(Document(scope, value, directory=directory))
        else:
            message = f"expected an object, got {describe(value)}"
            raise SettingsError(message, help="the client reads objects only", file=f"<{scope} settings>")
    return merge(documents, cwd=cwd, home=home, trusted=trusted)


def read(path: Path, scope: Scope) -> Document:
    """The settings in the file at `path`.

    Raises SettingsError where there is no such file, it is no regular file, or it holds no settings.
    """
    name = os.fspath(path)
    try:
        # A pipe or a device would block or never end, so what it is comes before opening it.
        if not stat.S_ISREG(path.stat().st_mode):
            raise SettingsError("expected a file, got something else", help="name a settings file", file=name)
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise SettingsError(
            f"expected a settings file, got: {reason.lower()}", help="check the path", file=name
        ) from None
    return parse(data, scope, name, os.fspath(path.absolute().parent))
