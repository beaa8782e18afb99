"""What the reader hands out: frozen data about a command's text."""

from __future__ import annotations

from enum import StrEnum

from toolaudit.structs import Struct

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


class Word(Struct):
    """One shell word.

    `text` is the source slice, `value` the word after quote removal when it is static, `features` the names of the
    constructs in it that are not plain text: variable, expansion, command-substitution, process-substitution,
    arithmetic, array, regex, glob, tilde, brace, single-quote, double-quote, ansi-c, escape, continuation.
    """

    text: str
    shape: Shape
    value: str | None
    span: Span
    features: frozenset[str] = frozenset()


class Assignment(Struct):
    """A variable set by the shell itself; `name` includes the subscript, as in `a[0]`."""

    name: str
    operator: str
    """`=` or `+=`."""
    value: Word | None
    """None: nothing stands after the operator."""
    span: Span


class Redirect(Struct):
    """`operator` is one of > >> < >& <& &> &>> >| <> <<< << <<-; for a here-document `target` is its body."""

    operator: str
    descriptor: int | None
    """The number written before the operator, if any."""
    target: Word
    span: Span
    """Operator and word; the body of a here-document stands elsewhere, at `target.span`."""


class SimpleCommand(Struct):
    """One simple command: what bash would look up, start, or run as a builtin.

    An assignment or a redirection alone has an empty `argv`: so has the header of a `for` loop (one assignment for
    each word) and a redirection of a whole compound command. `[[ … ]]` and `(( … ))` count as commands of that name.
    What `time`, `coproc`, `command`, `builtin` and `exec` start is listed twice: with the prefix, and without it in a
    context of the prefix's name.
    """

    argv: tuple[Word, ...]
    assignments: tuple[Assignment, ...]
    redirects: tuple[Redirect, ...]
    span: Span
    text: str
    """The source slice, assignments and redirections included, bodies of here-documents not."""
    context: tuple[str, ...] = ()
    """The constructs it sits in, outermost first: list (`&&`, `||`), pipeline, background, subshell, group, if, while
    (also `until`), for (also `select`), case, function, negation, command-substitution, process-substitution,
    here-document, time, coproc, command, builtin, exec."""


class Complexity(Struct):
    """Why a command can't be read: a stable reason, the construct by its grammar name, and where it stands."""

    reason: str
    construct: str
    span: Span


class Reading(Struct):
    """What bash would start from a text: every simple command, or the reason why that can't be said.

    INVARIANT: with `complexity` None, every program bash could start is the first word of a command listed here
    (wrappers such as `env`, `xargs` or `sh -c` are programs; what they start in turn is a matter of their arguments).
    The environment is trusted: no functions, aliases or variables planted before the text runs, bash 5.2 in a UTF-8 or
    C locale, non-interactive.

    Two kinds of complexity: in `evaluations` the text was read to the end and `commands` is exact, but at the listed
    places bash runs or evaluates something that only run time knows (`eval`, a variable as command word, PATH=…).
    With any other `complexity` bash may read the text differently, and `commands` is a best effort that deny rules may
    use and allow rules may not.
    """

    text: str
    commands: tuple[SimpleCommand, ...]
    """In the order of their first byte."""
    complexity: Complexity | None = None
    """What made the reader stop; else the first of `evaluations`, else None."""
    evaluations: tuple[Complexity, ...] = ()

    @property
    def exact(self) -> bool:
        """Whether `commands` is what bash reads, even where something is evaluated at run time."""
        return self.complexity is None or self.complexity in self.evaluations
