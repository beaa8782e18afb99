"""The hooks of settings files as they are written, and the file that a hook's command runs."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from toolaudit.checks.audit import Audit
from toolaudit.model import Hook
from toolaudit.settings.document import Document

_RUNNERS: Final = frozenset("bash sh zsh python python3 node ruby perl uv bun deno npx tsx".split())
_PROJECT: Final = re.compile(r'"?\$\{?CLAUDE_PROJECT_DIR\}?"?')
_PLAIN: Final = re.compile(r"[\w./~@+-]+")
_SCRIPT: Final = re.compile(r".+\.(?:sh|bash|py|js|mjs|cjs|ts|rb|pl)")


def hook_entries(audit: Audit) -> Iterator[tuple[Document, str, int, int, Mapping[str, Any]]]:
    """Each hook as written: its document, event, the index of its group, its index there, and its object."""
    for document in audit.documents:
        events = document.value.get("hooks")
        for event, groups in events.items() if isinstance(events, dict) else ():
            for index, group in enumerate(groups) if isinstance(groups, list) else ():
                entries = group.get("hooks") if isinstance(group, dict) else None
                for number, hook in enumerate(entries) if isinstance(entries, list) else ():
                    if isinstance(hook, dict):
                        yield document, event, index, number, hook


@dataclass(frozen=True, slots=True)
class Script:
    """The file that a hook runs."""

    path: str
    """Absolute."""
    direct: bool
    """It is executed itself, not given to an interpreter."""


def script_of(hook: Hook, audit: Audit) -> Script | None:
    """The file that the command of `hook` runs, where it plainly names one; no variable but the project's is known."""
    words = _PROJECT.sub(audit.workspace.cwd, hook.command).split()
    while words and "=" in words[0] and "/" not in words[0].partition("=")[0]:
        del words[0]
    if not words:
        return None
    direct = posixpath.basename(words[0]) not in _RUNNERS
    named = words[0] if direct else next((word for word in words[1:] if not word.startswith("-")), "")
    named = named.strip("\"'").rstrip(";")
    if not _PLAIN.fullmatch(named) or not ("/" in named or _SCRIPT.fullmatch(named)):
        return None
    if named.startswith("~/"):
        named = audit.workspace.home + named[1:]
    return Script(posixpath.normpath(posixpath.join(audit.workspace.cwd, named)), direct)
