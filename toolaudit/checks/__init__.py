"""Lint checks: one file a check, with its number, its severity, its page and `find(audit)`.

A module of this package that has an `ID` is a check. Its docstring is its page: the first line is the title, the rest
says what the client does and what to change.
"""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from operator import attrgetter

from toolaudit.checks.audit import Audit
from toolaudit.model import Finding, Severity


@dataclass(frozen=True, slots=True)
class Check:
    """One check, as its module states it."""

    id: str
    name: str
    """The module's name, with hyphens."""
    severity: Severity
    title: str
    page: str
    """Markdown, without the title."""
    find: Callable[[Audit], Iterator[Finding]]


@cache
def checks() -> tuple[Check, ...]:
    """All checks, by number."""
    modules = [import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__)]
    found = [_check(module) for module in modules if hasattr(module, "ID")]
    return tuple(sorted(found, key=attrgetter("id")))


def _check(module: object) -> Check:
    page = inspect.getdoc(module)
    name = str(module.__name__).rpartition(".")[2]  # type: ignore[attr-defined]
    assert page is not None, f"the check {name} has no page"
    title, _, body = page.partition("\n")
    return Check(module.ID, name.replace("_", "-"), module.SEVERITY, title, body.strip(), module.find)  # type: ignore[attr-defined]


def run(audit: Audit, only: Iterable[str] = (), skip: Iterable[str] = ()) -> Iterator[Finding]:
    """What the checks find, check by check; `only` and `skip` are numbers of checks."""
    wanted, left_out = set(only), set(skip)
    for check in checks():
        if (not wanted or check.id in wanted) and check.id not in left_out:
            yield from check.find(audit)
