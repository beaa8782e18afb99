"""Values by scope: which scopes count for a key, and what they make together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from toolaudit.model import Finding, Scope, Severity
from toolaudit.settings.document import Document

PRECEDENCE = tuple(Scope)
"""Highest first."""

REPOSITORY = frozenset({Scope.PROJECT, Scope.LOCAL})
"""Scopes whose files a repository may bring along."""

COUNTS_IN = {
    ("allowManagedPermissionRulesOnly",): frozenset({Scope.MANAGED}),
    ("allowManagedHooksOnly",): frozenset({Scope.MANAGED}),
    ("autoMode",): frozenset(Scope) - REPOSITORY,
    ("useAutoModeDuringPlan",): frozenset(Scope) - {Scope.PROJECT},
    ("permissions", "denyInsteadOfPrompting"): frozenset(Scope) - REPOSITORY,
}
"""Key -> the scopes whose settings count (measured); everywhere else the client ignores the key."""


def get(document: Document, *path: str) -> Any:
    """The value at `path`, or None; the document has passed `check`."""
    value: Any = document.value
    for key in path:
        if not isinstance(value, dict) or key not in value:
            return None
        value = value[key]
    return value


def values(ranked: Iterable[Document], *path: str) -> Iterator[Any]:
    """The values at `path` in the scopes that have one and whose settings count for it, highest first."""
    scopes = COUNTS_IN.get(path) or COUNTS_IN.get(path[:1]) or PRECEDENCE
    for document in ranked:
        if document.scope in scopes and (value := get(document, *path)) is not None:
            yield value


def first(ranked: Iterable[Document], *path: str, default: Any) -> Any:
    """The value of the highest scope that has one."""
    return next(values(ranked, *path), default)


def any_of(ranked: Iterable[Document], *path: str) -> bool:
    """Whether a scope turns the switch at `path` on."""
    return any(values(ranked, *path))


def join(ranked: Iterable[Document], *path: str) -> tuple[str, ...]:
    """The lists of all scopes, one after the other, each entry once."""
    return tuple(dict.fromkeys(item for value in values(ranked, *path) for item in value))


def misplaced(document: Document) -> Iterator[Finding]:
    """The keys of `document` that count only in other scopes."""
    for path, scopes in COUNTS_IN.items():
        if document.scope not in scopes and get(document, *path) is not None:
            names = ", ".join(scope for scope in PRECEDENCE if scope in scopes and scope is not Scope.CLI)
            message = f"{'.'.join(path)} counts only in these settings: {names}"
            yield Finding(
                "key-ignored", Severity.WARNING, message, "the client ignores it here", document.source(*path)
            )
