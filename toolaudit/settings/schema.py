"""The shape of the settings that decide, and the check of a document against it.

One value of the wrong type costs the whole file (measured, see `errors.fate`), so it is an error here. The client
passes over three things and goes on with the rest: a key it does not know, an entry of a rule list that is no string,
another type than an object for `hooks` (measured); those are findings here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sized
from dataclasses import dataclass

from toolaudit.model import Finding, Severity, Source
from toolaudit.settings.document import Document
from toolaudit.settings.errors import fate, quote
from toolaudit.settings.keys import UNMODELLED
from toolaudit.settings.parse import describe
from toolaudit.settings.positions import Path


@dataclass(frozen=True, slots=True)
class Word:
    """One of a few strings."""

    words: tuple[str, ...]

    @property
    def expected(self) -> str:
        return " or ".join(f'"{word}"' for word in self.words)

    def accepts(self, value: object) -> bool:
        return isinstance(value, str) and value in self.words


@dataclass(frozen=True, slots=True)
class Scalar:
    """A value of one JSON type."""

    expected: str
    type: type

    def accepts(self, value: object) -> bool:
        return isinstance(value, self.type)


@dataclass(frozen=True, slots=True)
class Positive:
    """A number above zero."""

    expected = "a number above 0"

    def accepts(self, value: object) -> bool:
        return isinstance(value, int | float) and not isinstance(value, bool) and value > 0


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list; `lenient` where the client leaves out an item of the wrong type instead of dropping the file."""

    item: Kind
    lenient: bool = False

    expected = "a list"

    def accepts(self, value: object) -> bool:
        return isinstance(value, list)


@dataclass(frozen=True, slots=True)
class Fields:
    """An object with known keys."""

    fields: Mapping[str, Kind]
    unmodelled: frozenset[str] = frozenset()
    """Known to the client, of no weight here; any type."""
    required: frozenset[str] = frozenset()

    expected = "an object"

    def accepts(self, value: object) -> bool:
        return isinstance(value, dict)


Kind = Word | Scalar | Positive | ListOf | Fields

BOOLEAN = Scalar("true or false", bool)
STRING = Scalar("a string", str)
STRINGS = ListOf(STRING)
RULES = ListOf(STRING, lenient=True)
DISABLE = Word(("disable",))
MODE = Word(("default", "manual", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions"))

REPORTED = 100
"""So many of a kind are reported each by itself; of the rest, which only a hostile file has, the number."""

PERMISSIONS = Fields(
    {
        "allow": RULES,
        "ask": RULES,
        "deny": RULES,
        "defaultMode": MODE,
        "additionalDirectories": STRINGS,
        "disableBypassPermissionsMode": DISABLE,
        "disableAutoMode": DISABLE,
        "blockReadsOutsideWorkingDirectories": BOOLEAN,
        "blockWritesOutsideWorkingDirectories": BOOLEAN,
        "denyInsteadOfPrompting": BOOLEAN,
    }
)

SANDBOX = Fields(
    {
        "enabled": BOOLEAN,
        "autoAllowBashIfSandboxed": BOOLEAN,
        "allowUnsandboxedCommands": BOOLEAN,
        "failIfUnavailable": BOOLEAN,
        "excludedCommands": STRINGS,
        "filesystem": Fields(
            {"allowWrite": STRINGS, "denyWrite": STRINGS, "denyRead": STRINGS, "allowRead": STRINGS},
            frozenset({"allowManagedReadPathsOnly", "disabled"}),
        ),
        "network": Fields(
            {"allowedDomains": STRINGS, "deniedDomains": STRINGS, "strictAllowlist": BOOLEAN},
            frozenset(
                {
                    "allowAllUnixSockets",
                    "allowLocalBinding",
                    "allowMachLookup",
                    "allowManagedDomainsOnly",
                    "allowUnixSockets",
                    "httpProxyPort",
                    "socksProxyPort",
                    "tlsTerminate",
                }
            ),
        ),
    },
    frozenset(
        {
            "allowAppleEvents",
            "bwrapPath",
            "credentials",
            "enableWeakerNestedSandbox",
            "enableWeakerNetworkIsolation",
            "ignoreViolations",
            "ripgrep",
            "socatPath",
        }
    ),
)

AUTO_MODE = Fields(
    {
        "environment": STRINGS,
        "allow": STRINGS,
        "soft_deny": STRINGS,
        "hard_deny": STRINGS,
        "classifyAllShell": BOOLEAN,
    }
)

SCHEMA = Fields(
    {
        "permissions": PERMISSIONS,
        "sandbox": SANDBOX,
        "autoMode": AUTO_MODE,
        "allowManagedPermissionRulesOnly": BOOLEAN,
        "allowManagedHooksOnly": BOOLEAN,
        "disableAllHooks": BOOLEAN,
        "disableAutoMode": DISABLE,
        "useAutoModeDuringPlan": BOOLEAN,
        "enableAllProjectMcpServers": BOOLEAN,
    },
    UNMODELLED | {"hooks"},
)
"""All that decides, but for `hooks`, which `hooks.read` checks."""


def check(document: Document) -> Iterator[Finding]:
    """What is odd about `document` though the client goes on; raises SettingsError for what makes it drop the file."""
    if found := fault(document.value, SCHEMA, ()):
        message, path = found
        raise document.error(message, f"{fate(document.scope, readable=True)}; correct the value", *path)
    yield from _odd(document, document.value, SCHEMA, ())


def fault(value: object, kind: Kind, path: Path) -> tuple[str, Path] | None:
    """The first thing in `value`, which stands at `path`, that `kind` does not allow: what and where; or None."""
    if not kind.accepts(value):
        return f"expected {kind.expected} for {dotted(path)}, got {describe(value)}", path
    if isinstance(kind, Fields):
        assert isinstance(value, dict)
        for key in kind.required:
            if key not in value:
                return f"expected the key {key} in {dotted(path)}, got none", path
        for key, item in value.items():
            if key in kind.fields and (found := fault(item, kind.fields[key], (*path, key))):
                return found
    elif isinstance(kind, ListOf) and not kind.lenient:
        assert isinstance(value, list)
        for index, item in enumerate(value):
            if found := fault(item, kind.item, (*path, index)):
                return found
    return None


def closest(word: str, known: Iterable[str]) -> str | None:
    """The one of `known` that `word` may be a slip for. Some 2 ms, so for a bounded number of words."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, known, n=1, cutoff=0.8)), None) if len(word) < 100 else None


def dotted(path: Path) -> str:
    """`path` as a message names it."""
    return ".".join(str(part) for part in path) or "the settings"


def _odd(document: Document, value: object, kind: Kind, path: Path) -> Iterator[Finding]:
    if isinstance(kind, Fields):
        assert isinstance(value, dict)
        unknown = [key for key in value if key not in kind.fields and key not in kind.unmodelled]
        yield from (_unknown(document, kind, (*path, key)) for key in unknown[:REPORTED])
        yield from more(unknown, f"unknown keys in {dotted(path)}", "the client ignores them", document.source(*path))
        for key, item in value.items():
            if key in kind.fields:
                yield from _odd(document, item, kind.fields[key], (*path, key))
    elif isinstance(kind, ListOf) and kind.lenient:
        assert isinstance(value, list)
        wrong = [index for index, item in enumerate(value) if not kind.item.accepts(item)]
        yield from (_left_out(document, kind, value[index], (*path, index)) for index in wrong[:REPORTED])
        what = f"entries that are no rules in {dotted(path)}"
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
    close = closest(key, [*kind.fields, *kind.unmodelled])
    elsewhere = next((name for name, other in _PLACES if key in other.fields and other is not kind), None)
    if close is None and elsewhere is not None:
        close = f"{elsewhere}.{key}" if elsewhere else f"{key} at the top level"
    return Finding(
        "unknown-key",
        Severity.WARNING if close else Severity.NOTE,
        f"unknown key {quote(key)} in {dotted(path[:-1])}" + (f"; did you mean {close}?" if close else ""),
        "the client ignores it",
        document.source(*path),
    )


def more(found: Sized, what: str, help: str, source: Source | None = None) -> Iterator[Finding]:
    """The finding that counts what of `found` goes beyond REPORTED."""
    if (rest := len(found) - REPORTED) > 0:
        yield Finding("not-listed", Severity.WARNING, f"{rest:,} more {what}", help, source)


_PLACES = (("permissions", PERMISSIONS), ("sandbox", SANDBOX), ("", SCHEMA))
"""Where a key that stands in the wrong place may belong."""
