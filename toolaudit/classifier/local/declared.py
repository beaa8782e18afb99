"""Packages that a manifest names anew: well known, or named by the user; a name that is almost another's is neither."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import Final

from toolaudit.classifier.local.concern import NAMED, Concern
from toolaudit.classifier.local.context import Context, mentions
from toolaudit.classifier.local.packages import well_known
from toolaudit.patterns import late

_VERSION = r"[~^<>=v]{0,3}\s?\d[\w.*+-]*"
_ENTRIES: Final = (
    (
        late(r"package\.json|composer\.json|deno\.jsonc?"),
        late(rf"\"((?:@[\w.-]+/)?[\w./-]+)\"\s*:\s*\"(?:{_VERSION}|latest|\*|next|npm:[^\"]+)\""),
    ),
    (
        late(r"(?:.*-)?(?:requirements|constraints).*\.(?:txt|in)"),
        late(r"(?m)^[ \t]*([A-Za-z][\w.-]*)(?:\[[^\]\n]*\])?\s*(?:[~=<>!]=|[<>;]|$)"),
    ),
    (
        late(r"pyproject\.toml|setup\.(?:py|cfg)|Pipfile|environment\.ya?ml"),
        late(
            r"(?m)[\"']([A-Za-z][\w.-]*)(?:\[[^\]\n]*\])?\s*[~=<>!]=[^\"'\n]*[\"']|"
            r"^[ \t]*([A-Za-z][\w-]*)\s*=\s*[\"'{][\"']?[~^<>=]*\d"
        ),
    ),
    (late(r"Cargo\.toml"), late(r"(?m)^[ \t]*([\w-]+)\s*=\s*(?:\"[~^=]?\d|\{[^\n]*version)")),
    (late(r"go\.mod"), late(r"(?m)^[ \t]*(?:require\s+)?([\w-]+(?:\.[\w-]+)+/[\w./-]+)\s+v\d")),
    (late(r"Gemfile|.*\.gemspec"), late(r"(?m)^[ \t]*(?:gem|\w+\.add_\w*dependency)\s*\(?[\"']([\w-]+)[\"']")),
    (late(r"build\.gradle(?:\.kts)?|build\.sbt"), late(r"[\"']([\w.-]+:[\w.-]+):[\w.+-]+[\"']")),
    (late(r"pom\.xml"), late(r"<artifactId>([\w.-]+)</artifactId>")),
    (late(r".*\.csproj|Directory\.Packages\.props"), late(r"<Package(?:Reference|Version)\s+Include=\"([\w.-]+)\"")),
    (late(r"pubspec\.yaml"), late(r"(?m)^\s{2}([a-z_][\w]*):\s*\^?\d")),
)
"""Names of manifests, and how an entry of theirs names a package."""
_NO_PACKAGES: Final = frozenset(
    "version node npm yarn pnpm python requires-python php name edition rust-version port engines".split()
)
"""Names of entries that look like packages."""
_GROUPS = late(
    r"(?:org\.(?:springframework|junit|apache|jetbrains|mockito|hibernate|slf4j|postgresql)|com\.(?:google|fasterxml|squareup)|"
    r"androidx|io\.(?:ktor|micrometer|kotest|mockk|quarkus)|jakarta|Microsoft|System|NUnit|xunit|Newtonsoft|Serilog|"
    r"golang\.org/x|google\.golang\.org|k8s\.io|@types/|@babel/|@testing-library/|@typescript-eslint/|@vitest/|@storybook/).*"
)
"""Groups of packages of which each is known."""


def find(path: str, text: str, before: str, context: Context) -> Iterator[Concern]:
    """What speaks against the packages that `text` brings into the manifest `path`, and that `before` did not name."""
    name = posixpath.basename(path)
    entry = next((entry for names, entry in _ENTRIES if names.fullmatch(name)), None)
    if entry is None:
        return
    for package in _packages(entry, text):
        bare = package.rpartition(":")[2]
        if package in before or package.lower() in _NO_PACKAGES or package.lower() in well_known():
            continue
        if _GROUPS.fullmatch(package) or any(
            mentions(message, one) for message in context.messages for one in (package, bare)
        ):
            continue
        why = f"{name} takes {package}, a package that nobody named and that is not known"
        yield Concern("supply-chain", why, NAMED, frozenset({package, bare, bare.rpartition("/")[2]}), any_verb=True)


def _packages(entry: re.Pattern[str], text: str) -> Iterator[str]:
    for found in entry.findall(text):
        yield from (found,) if isinstance(found, str) else filter(None, found)
