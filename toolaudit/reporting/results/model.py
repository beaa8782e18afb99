from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from toolaudit.model import Severity, Source


class Status(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    """A test failed, or something was found."""
    ERROR = "error"
    """It could not be checked at all."""
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a file, as the person named the file. Line and column count from 1; None: the file as a whole."""

    file: str
    line: int | None = None
    column: int | None = None

    @classmethod
    def of(cls, source: Source | None) -> Place | None:
        """Where `source` is, or None for what stands in no file."""
        return None if source is None or source.file is None else cls(source.file, source.line, source.column)

    def __str__(self) -> str:
        return ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)


@dataclass(frozen=True, slots=True)
class Check:
    """What is looked for: the kind of a result."""

    id: str
    title: str
    """One sentence."""
    help: str = ""
    """What to do about it; may be several paragraphs of Markdown."""
    severity: Severity = Severity.ERROR
    uri: str | None = None
    tags: tuple[str, ...] = ("security",)


@dataclass(frozen=True, slots=True)
class Result:
    """One thing that was checked and what came of it."""

    check: str
    """The `Check.id`."""
    name: str
    """What was checked: a case's name, a rule's text."""
    status: Status
    message: str = ""
    """One sentence, where it did not pass."""
    severity: Severity = Severity.ERROR
    place: Place | None = None
    """The line to change: that of a rule, wherever a rule is at fault."""
    group: str = ""
    """What it belongs to: a test file, a settings file."""
    rule: str = ""
    """The rule it is about, with its behaviour: `deny Bash(curl *)`."""
    subject: str = ""
    """A call that shows it, to paste."""
    stage: str = ""
    help: str = ""
    details: tuple[str, ...] = ()
    """Further lines for a reader."""
    related: tuple[tuple[str, Place], ...] = ()
    """Other places, each with what is there."""
    identity: tuple[str, ...] = ()
    """What else tells it apart from others of its check and rule. Never a line: lines move."""
    seconds: float = 0.0

    @property
    def fingerprint(self) -> str:
        """The same next time, though lines moved and rules changed their order: 64 hexadecimal digits."""
        file = self.place.file if self.place is not None else ""
        parts = (self.check, file, self.rule, *(self.identity or (() if self.rule else (self.name,))))
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Results:
    """All that a verb found, in the order it was found."""

    verb: str
    results: Sequence[Result]
    checks: Mapping[str, Check] = field(default_factory=dict)
    summary: tuple[str, ...] = ()
    """Lines after the results: coverage, a score."""
    passes_matter: bool = True
    """Whether what passed is worth a line: of tests yes, of lint no."""
    hidden: int = 0
    """How many passed that are not among `results`."""

    def counts(self) -> Mapping[Status, int]:
        """How many there are of each status."""
        found = Counter(result.status for result in self.results)
        found[Status.PASSED] += self.hidden
        return +found

    def bad(self) -> list[Result]:
        """Those that failed or could not be checked."""
        return [result for result in self.results if result.status in (Status.FAILED, Status.ERROR)]

    def headline(self) -> str:
        """The numbers in one line: `2 failed, 14 passed`, or of what was looked for `1 error, 3 warnings`."""
        if not self.passes_matter:
            found = Counter(result.severity for result in self.bad())
            told = [f"{found[one]:,} {one}{'s' * (found[one] > 1)}" for one in Severity if found[one]]
            suppressed = self.counts().get(Status.SKIPPED)
            told += [f"{suppressed:,} suppressed"] if suppressed else []
            return ", ".join(told) or "nothing found"
        counts = self.counts()
        order = (Status.FAILED, Status.ERROR, Status.PASSED, Status.SKIPPED)
        words = {Status.ERROR: "error" if counts.get(Status.ERROR) == 1 else "errors"}
        return ", ".join(f"{counts[one]:,} {words.get(one, one)}" for one in order if counts.get(one)) or "nothing"
