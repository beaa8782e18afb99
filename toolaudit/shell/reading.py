from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

Span = tuple[int, int]
"""Start and end as byte offsets into the UTF-8 text of the command."""


class Shape(StrEnum):
    """How many words bash will make of one word of the text."""

    STATIC = "static"
    """Exactly one, and its value is known."""
    ONE = "one"
    """Exactly one, value unknown until run time."""
    MANY = "many"
    """Any number, none included."""


@dataclass(frozen=True, slots=True)
class Word:
    """One shell word.

    `text` is the source slice, `value` the word after quote removal when it is static, `features` the names of the
    constructs in it that are not plain text: variable, expansion, command-substitution, process-substitution,
    arithmetic, glob, tilde, brace, single-quote, double-quote, ansi-c, escape.
    """

    text: str
    shape: Shape
    value: str | None
    span: Span
    features: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Assignment:
    name: str
    operator: str
    """`=` or `+=`."""
    value: Word | None
    """None: nothing stands after the operator."""
    span: Span


@dataclass(frozen=True, slots=True)
class Redirect:
    """`operator` is one of > >> < >& <& &> &>> >| <> <<< << <<-; for a here-document `target` is its body."""

    operator: str
    descriptor: int | None
    target: Word
    span: Span


@dataclass(frozen=True, slots=True)
class SimpleCommand:
    """One simple command: what bash would look up, start, or run as a builtin.

    An assignment or a redirection alone has an empty `argv`.
    """

    argv: tuple[Word, ...]
    assignments: tuple[Assignment, ...]
    redirects: tuple[Redirect, ...]
    span: Span
    text: str
    """The source slice, assignments and redirections included."""
    context: tuple[str, ...] = ()
    """The constructs it sits in, outermost first: list, pipeline, background, subshell, group, if, while, for, case,
    function, negation, command-substitution, process-substitution, here-document."""


@dataclass(frozen=True, slots=True)
class Complexity:
    """Why a command can't be read: a stable reason, the construct by its grammar name, and where it stands."""

    reason: str
    construct: str
    span: Span


@dataclass(frozen=True, slots=True)
class Reading:
    """What bash would start from a text: every simple command, or the reason why that can't be said.

    INVARIANT: with `complexity` None, every program bash could start is the first word of a command listed here
    (wrappers such as `env`, `xargs` or `sh -c` are programs; what they start in turn is a matter of their arguments).
    With `complexity` set, `commands` is a best effort that deny rules may use and allow rules may not.
    """

    text: str
    commands: tuple[SimpleCommand, ...]
    complexity: Complexity | None = None
