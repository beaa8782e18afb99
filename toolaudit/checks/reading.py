from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from toolaudit.checks.audit import Audit
from toolaudit.model import Mode, Scope
from toolaudit.model.workspace import UnknownWorkspace, Workspace
from toolaudit.settings import SettingsError, effective_mode
from toolaudit.settings.document import Document
from toolaudit.settings.load import read
from toolaudit.settings.merge import merge


def read_audit(
    files: Iterable[tuple[Scope, Path]],
    *,
    workspace: Workspace | None = None,
    mode: Mode | None = None,
    file_mode: Callable[[str], int | None] | None = None,
) -> Audit:
    """What the checks look at, from settings files; one that the client would drop is a fault and the others go on."""
    machine = workspace or UnknownWorkspace()
    documents: list[Document] = []
    faults: list[SettingsError] = []
    for scope, path in files:
        try:
            document = read(path, scope)
            merge([document], cwd=machine.cwd, home=machine.home, trusted=True)
        except SettingsError as error:
            faults.append(error)
        else:
            documents.append(document)
    policy = merge(documents, cwd=machine.cwd, home=machine.home, trusted=machine.trusted)
    started, _ = effective_mode(policy, mode)
    return Audit(policy, tuple(documents), machine, started, file_mode, tuple(faults))


def mode_bits(path: str) -> int | None:
    """The mode bits of a file of this machine, None where it is not there."""
    try:
        return Path(path).stat().st_mode
    except (OSError, ValueError):
        return None
