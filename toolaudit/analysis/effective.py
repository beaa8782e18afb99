"""The merged policy key by key: what counts, where it comes from, what it overrules, and what is ignored and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolaudit.model import Source
from toolaudit.settings.document import Document
from toolaudit.settings.scopes import COUNTS_IN, PRECEDENCE

RULES = ("allow", "ask", "deny")

ON_ANYWHERE = frozenset(
    {
        ("allowManagedPermissionRulesOnly",),
        ("allowManagedHooksOnly",),
        ("disableAutoMode",),
        ("permissions", "disableAutoMode"),
        ("permissions", "disableBypassPermissionsMode"),
        ("permissions", "blockReadsOutsideWorkingDirectories"),
        ("permissions", "blockWritesOutsideWorkingDirectories"),
        ("permissions", "denyInsteadOfPrompting"),
        ("autoMode", "classifyAllShell"),
    }
)
"""Switches that are on where any scope that counts turns them on (measured); of other keys the highest scope wins."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One key of one file."""

    key: str
    value: Any
    source: Source
    status: str
    """`wins`, `joined` (a list to which others add), or why it does not count."""


def settings(documents: Sequence[Document]) -> Iterator[Setting]:
    """Every key but rules and hooks, by key and then by precedence."""
    ranked = sorted(documents, key=lambda document: PRECEDENCE.index(document.scope))
    stated: dict[tuple[str, ...], list[tuple[Document, Any]]] = {}
    for document in ranked:
        for path, value in _leaves(document.value, ()):
            stated.setdefault(path, []).append((document, value))
    for path in sorted(stated):
        yield from _settled(path, stated[path])


def _settled(path: tuple[str, ...], stated: Sequence[tuple[Document, Any]]) -> Iterator[Setting]:
    scopes = COUNTS_IN.get(path) or COUNTS_IN.get(path[:1]) or frozenset(PRECEDENCE)
    counting = [(document, value) for document, value in stated if document.scope in scopes]
    winner = _winner(path, counting)
    for document, value in stated:
        source = document.source(*path)
        if document.scope not in scopes:
            status = "ignored: the key does not count in this file"
        elif isinstance(value, list):
            status = "joined" if len(counting) > 1 else "wins"
        elif document is winner:
            status = "wins"
        else:
            status = f"overruled by {winner.name if winner is not None else 'another file'}"
        yield Setting(".".join(path), value, source, status)


def _winner(path: tuple[str, ...], counting: Sequence[tuple[Document, Any]]) -> Document | None:
    if path in ON_ANYWHERE:
        on = next((document for document, value in counting if value), None)
        if on is not None:
            return on
    return counting[0][0] if counting else None


def _leaves(value: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    for key, item in value.items():
        here = (*path, key)
        if here == ("hooks",) or (path == ("permissions",) and key in RULES):
            continue
        if isinstance(item, dict):
            yield from _leaves(item, here)
        else:
            yield here, item
