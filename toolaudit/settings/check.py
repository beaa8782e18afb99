"""What is wrong or odd about a document.

One value of the wrong type costs the whole file (measured, see `errors.fate`), so it is an error here. The client
passes over two things and goes on with the rest: a key it does not know, and an entry of a rule list that is no
string (measured); those are findings here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sized

from toolaudit.model import Finding, Severity, Source
from toolaudit.settings.document import Document
from toolaudit.settings.errors import fate, quote
from toolaudit.settings.kinds import Fields, Kind, ListOf, dotted, fault
from toolaudit.settings.parse import describe
from toolaudit.settings.positions import Path
from toolaudit.settings.schema import SECTIONS, SETTINGS

REPORTED = 100
"""So many of a kind are reported each by itself; of the rest, which only a hostile file has, the number."""


def check(document: Document) -> Iterator[Finding]:
    """What is odd about `document` though the client goes on; raises SettingsError for what makes it drop the file."""
    if found := fault(document.value, SETTINGS, ()):
        message, path = found
        raise document.error(message, f"{fate(document.scope, readable=True)}; correct the value", *path)
    yield from _odd(document, document.value, SETTINGS, ())


def closest(word: str, known: Iterable[str]) -> str | None:
    """The one of `known` that `word` may be a slip for. Some 2 ms, so for a bounded number of words."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, known, n=1, cutoff=0.8)), None) if len(word) < 100 else None


def more(found: Sized, what: str, help: str, source: Source | None = None) -> Iterator[Finding]:
    """The finding that counts what of `found` goes beyond REPORTED."""
    if (rest := len(found) - REPORTED) > 0:
        yield Finding("not-listed", Severity.WARNING, f"{rest:,} more {what}", help, source)


def _odd(document: Document, value: object, kind: Kind, path: Path) -> Iterator[Finding]:
    if isinstance(kind, Fields):
        assert isinstance(value, dict)
        if not kind.open:
            unknown = [key for key in value if key not in kind.fields]
            what = f"unknown keys in {dotted(path)}"
            yield from (_unknown(document, kind, (*path, key)) for key in unknown[:REPORTED])
            yield from more(unknown, what, "the client ignores them", document.source(*path))
        for key, item in value.items():
            if key in kind.fields:
                yield from _odd(document, item, kind.fields[key], (*path, key))
    elif isinstance(kind, ListOf) and kind.lenient:
        assert isinstance(value, list)
        wrong = [index for index, item in enumerate(value) if not kind.item.accepts(item)]
        what = f"entries that are no rules in {dotted(path)}"
        yield from (_left_out(document, kind, value[index], (*path, index)) for index in wrong[:REPORTED])
        yield from more(wrong, what, "the client leaves them out", document.source(*path))


def _left_out(document: Document, kind: ListOf, item: object, path: Path) -> Finding:
    return Finding(
        "not-a-rule",
        Severity.ERROR,
        f"expected {kind.item.expected} for {dotted(path)}, got {describe(item)}",
        "the client leaves this entry out and uses the others",
        document.source(*path),
    )


def _unknown(document: Document, kind: Fields, path: Path) -> Finding:
    key = str(path[-1])
    close = closest(key, kind.fields)
    elsewhere = next((name for name, other in SECTIONS if key in other.fields and other is not kind), None)
    if close is None and elsewhere is not None:
        close = f"{elsewhere}.{key}" if elsewhere else f"{key} at the top level"
    return Finding(
        "unknown-key",
        Severity.WARNING if close else Severity.NOTE,
        f"unknown key {quote(key)} in {dotted(path[:-1])}" + (f"; did you mean {close}?" if close else ""),
        "the client ignores it",
        document.source(*path),
    )
