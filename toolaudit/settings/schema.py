"""The shape of the settings that decide, and the check of a document against it.

One value of the wrong type costs the whole file (measured, see `errors.fate`), so it is an error here. The client
passes over three things and goes on with the rest: a key it does not know, an entry of a rule list that is no string,
another type than an object for `hooks` (measured); those are findings here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from toolaudit.model import Finding, Severity
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
        return isinstance(value, self.type) and (self.type is bool or not isinstance(value, bool))


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

    expected = "an object"

    def accepts(self, value: object) -> bool:
        return isinstance(value, dict)


Kind = Word | Scalar | ListOf | Fields

BOOLEAN = Scalar("true or false", bool)
STRING = Scalar("a string", str)
NUMBER = Scalar("a number", float)
STRINGS = ListOf(STRING)
RULES = ListOf(STRING, lenient=True)
DISABLE = Word(("disable",))
MODE = Word(("default", "manual", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions"))

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
            "failIfUnavailable",
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
    },
    UNMODELLED | {"hooks"},
)
"""All that decides, but for `hooks`, which `hooks.read` checks."""


def check(document: Document) -> Iterator[Finding]:
    """What is odd about `document` though the client goes on; raises SettingsError for what makes it drop the file."""
    yield from _check(document, document.value, SCHEMA, ())


def _check(document: Document, value: object, kind: Kind, path: Path) -> Iterator[Finding]:
    if not kind.accepts(value):
        raise document.error(
            f"expected {kind.expected} for {_dotted(path)}, got {describe(value)}",
            f"{fate(document.scope, readable=True)}; correct the value",
            *path,
        )
    match kind:
        case Fields(fields, unmodelled):
            assert isinstance(value, dict)
            for key, item in value.items():
                if (field := fields.get(key)) is not None:
                    yield from _check(document, item, field, (*path, key))
                elif key not in unmodelled:
                    yield _unknown(document, kind, (*path, key))
        case ListOf(item_kind, lenient):
            assert isinstance(value, list)
            for index, item in enumerate(value):
                if item_kind.accepts(item):
                    continue
                here = (*path, index)
                if not lenient:
                    raise document.error(
                        f"expected {item_kind.expected} in {_dotted(path)}, got {describe(item)}",
                        f"{fate(document.scope, readable=True)}; correct the item",
                        *here,
                    )
                yield Finding(
                    "not-a-rule",
                    Severity.ERROR,
                    f"expected {item_kind.expected} in {_dotted(path)}, got {describe(item)}",
                    "the client leaves this entry out and uses the others",
                    document.source(*here),
                )


def _unknown(document: Document, kind: Fields, path: Path) -> Finding:
    key = str(path[-1])
    known = [*kind.fields, *kind.unmodelled]
    close = next(iter(get_close_matches(key, known, n=1, cutoff=0.8)), None)
    elsewhere = next((name for name, other in _PLACES if key in other.fields and other is not kind), None)
    if close is None and elsewhere is not None:
        close = f"{elsewhere}.{key}" if elsewhere else f"{key} at the top level"
    return Finding(
        "unknown-key",
        Severity.WARNING if close else Severity.NOTE,
        f"unknown key {quote(key)} in {_dotted(path[:-1])}" + (f"; did you mean {close}?" if close else ""),
        "the client ignores it",
        document.source(*path),
    )


_PLACES = (("permissions", PERMISSIONS), ("sandbox", SANDBOX), ("", SCHEMA))
"""Where a key that stands in the wrong place may belong."""


def _dotted(path: Path) -> str:
    return ".".join(str(part) for part in path) or "the settings"
