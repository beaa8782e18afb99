from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from toolaudit.model import Mode, Policy, ToolCall
from toolaudit.model.versions import NEWEST, Version
from toolaudit.model.workspace import DataWorkspace
from toolaudit.permissions.request import ClassifierAnswer
from toolaudit.testing.errors import PolicyTestError


class Unset:
    """The one value `UNSET`: nothing is expected, where None would mean that none is."""

    def __repr__(self) -> str:
        return "unset"


UNSET: Final = Unset()


@dataclass(frozen=True, slots=True)
class Expected:
    """What must hold of a decision; an empty field may be anything."""

    decisions: tuple[str, ...] = ()
    """Any of these; `deny` is also met by a tool that is taken out of the pool."""
    stage: str | None = None
    reason: str | None = None
    rule: str | Unset | None = UNSET
    """The deciding rule's text; None: no rule decides."""
    source: str | None = None
    """A scope, a file, or `file:line`; of the deciding rule."""
    findings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HookAnswer:
    """What a configured hook (None: each of them) is taken to say."""

    hook: str | None
    decision: str | None
    input: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Case:
    """One call in one situation, and what is expected of its decision."""

    name: str
    file: str
    line: int
    call: ToolCall
    expected: Expected
    policy: Policy
    """As this case's directories and trust make it; cases that share those share the object."""
    workspace: DataWorkspace
    mode: Mode | None = None
    """None: the mode that the policy starts in."""
    answers: tuple[HookAnswer, ...] = ()
    classifier: ClassifierAnswer = "unavailable"
    version: Version = NEWEST
    skip: str | None = None
    """Why it is not run."""


@dataclass(frozen=True, slots=True)
class Broken:
    """A case, or a whole file, that can't be tested."""

    name: str
    error: PolicyTestError


@dataclass(frozen=True, slots=True)
class Subject:
    """The policy of a test file, in general and for a given place."""

    name: str
    """The same for all test files that name the same settings."""
    policy: Policy
    load: Callable[[str, str], Policy]
    """The policy for a working directory and a home directory."""


@dataclass(frozen=True, slots=True)
class Suite:
    """The cases of one file, in order, those that can't be tested among them."""

    file: str
    cases: tuple[Case | Broken, ...]
    subject: Subject | None = None
    """The policy it tests; None where that, or the whole file, can't be read."""
