"""What `PathJudge` says of one access to a path."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from toolaudit.model import ReasonType, Rule
from toolaudit.structs import Struct

if TYPE_CHECKING:
    from toolaudit.permissions.protected import Protection


class Operation(StrEnum):
    """What is done to a path; the rules of the tool `Read` govern one, those of `Edit` the other."""

    READ = "read"
    WRITE = "write"


class Refusal(Struct):
    """Why an access is refused whatever rules and mode say."""

    why: str
    reason_type: ReasonType


class PathVerdict(Struct):
    """What speaks for and against one access to a path."""

    path: str
    """The path asked about, absolute and normalised."""
    operation: Operation
    target: str
    """What it resolves to."""
    deny: Rule | None = None
    """A deny rule for this operation that matches the path or a place its links lead through."""
    deny_by_link: bool = False
    """`deny` matches only a place the links lead through."""
    covered: Rule | None = None
    """For a write: a Read deny rule, matched like `deny`. The tools Edit and Write refuse such a path."""
    refusal: Refusal | None = None
    """What refuses the access in every mode."""
    ask: Rule | None = None
    """An ask rule for this operation, matched like `deny`."""
    suspicious: bool = False
    """The path, or a place its links lead through, has a form that means another file on Windows."""
    safety: Protection | None = None
    """For a write: what makes it wait for approval whatever the allow rules say."""
    inside: bool = False
    """The path and what it resolves to are in a working directory."""
    inside_own: bool = False
    """The same without the directories that a repository's settings added; what switches that block access go by."""
    note: bool = False
    """For a write: a note of the client's memory, which is written in every mode."""
    outside_why: str | None = None
    """Where it is instead, when it is not."""
    allow: Rule | None = None
    """An allow rule for the path, where one matches what it resolves to as well."""
    implied: Rule | None = None
    """For a read: an Edit rule that allows writing there. File tools may then read, shell commands may not."""
