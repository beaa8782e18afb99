"""What `lint --fix` offers: a patch of each file, held against the file it would replace before anything is written."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolaudit.model import Finding


def offer(findings: Sequence[Finding], *, write: bool) -> int:
    """Print a patch for each file that can be fixed, and write it where that is wanted.

    A fix that would let anything through that was stopped or asked about before is not offered: 1 is returned.
    """
    from toolaudit.checks.fixing import fixed

    by_file: dict[str, list[Finding]] = {}
    for finding in findings:
        if finding.fix is not None and finding.source is not None and finding.source.file is not None:
            by_file.setdefault(finding.source.file, []).append(finding)
    refused = 0
    for file, found in by_file.items():
        scope = found[0].source.scope if found[0].source is not None else None
        before = Path(file).read_text(encoding="utf-8")
        after = fixed(before, [one.fix for one in found if one.fix is not None])
        if before == after:
            continue
        if scope is None or _gives_access(before, after, scope, file):
            print(f"toolaudit lint: {file}: the fixes would give access, and are not made", file=sys.stderr)
            refused = 1
            continue
        sys.stdout.writelines(difflib.unified_diff(before.splitlines(True), after.splitlines(True), file, file))
        if write:
            _replace(Path(file), after)
    if not by_file:
        print("nothing that can be fixed without thinking", file=sys.stderr)
    elif not write:
        print("nothing was written; --write does it", file=sys.stderr)
    return refused


def _gives_access(before: str, after: str, scope: object, file: str) -> bool:
    from toolaudit.analysis.diff import Side, compare
    from toolaudit.model import Mode, Scope
    from toolaudit.model.workspace import UnknownWorkspace
    from toolaudit.settings.merge import merge
    from toolaudit.settings.parse import parse

    assert isinstance(scope, Scope)
    machine = UnknownWorkspace()
    policies = (
        merge([parse(text, scope, file)], cwd=machine.cwd, home=machine.home, trusted=True) for text in (before, after)
    )
    old, new = (Side(policy, Mode.DEFAULT, machine) for policy in policies)
    found = compare(old, new)
    return found.new_access or bool(found.undecided) or bool(found.faults)


def _replace(path: Path, text: str) -> None:
    """Put `text` in the place of the file in one step, so that no reader sees half of it."""
    beside = path.with_name(f"{path.name}.toolaudit")
    beside.write_text(text, encoding="utf-8")
    beside.chmod(path.stat().st_mode)
    beside.replace(path)
