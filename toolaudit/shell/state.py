"""What one reading knows and collects while it walks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from toolaudit.shell.reading import Assignment, Complexity, Redirect, SimpleCommand, Span, Word
from toolaudit.shell.variables import VOLATILE
from toolaudit.structs import Struct

if TYPE_CHECKING:
    from tree_sitter import Node

SUBSTITUTIONS = frozenset(("command-substitution", "process-substitution"))

MAX_DEPTH = 40
"""Constructs inside constructs. Bounds the recursion of the walk, about a dozen Python frames a level."""


class Tail(Struct):
    """How far a statement reaches beyond its node: the redirections that follow it, up to `end`."""

    end: int
    body: Word | None = None
    """The body of the here-document among them."""


Visit = Callable[["State", "Node", "Tail | None"], None]
"""Reads one statement of any kind. Handed in, because statements hold words and words hold statements."""


class Refusal(Exception):
    """The text may mean something else to bash than to the parser."""

    def __init__(self, complexity: Complexity) -> None:
        super().__init__(f"{complexity.reason}: {complexity.construct} at {complexity.span[0]}")
        self.complexity = complexity


class State:
    """One text being read.

    `source` holds one character for each byte of the UTF-8 text, so that offsets of the tree index it directly. `root`
    is None where the text is read without a tree.
    """

    __slots__ = (
        "after_body",
        "array_uses",
        "arrays",
        "commands",
        "context",
        "data",
        "depth",
        "end",
        "evaluations",
        "is_ascii",
        "numeric_uses",
        "reparses",
        "root",
        "source",
        "start",
        "unknown_values",
        "visit",
    )

    def __init__(self, text: str, visit: Visit) -> None:
        self.data = text.encode("utf-8")
        self.is_ascii = len(self.data) == len(text)
        self.source = text if self.is_ascii else self.data.decode("latin-1")
        self.root: Node | None = None
        self.visit = visit
        self.start = 0
        self.end = len(self.data)
        self.context: tuple[str, ...] = ()
        self.depth = 0
        self.commands: list[SimpleCommand] = []
        self.evaluations: list[Complexity] = []
        self.numeric_uses: list[tuple[str, Complexity]] = []
        self.array_uses: list[tuple[str, Complexity]] = []
        self.arrays: set[str] = set()
        self.unknown_values: set[str] = set()
        self.reparses = 0
        self.after_body = False
        """The body of a here-document has been read in this substitution."""

    @property
    def in_substitution(self) -> bool:
        """Whether what is being read is inside a command or process substitution."""
        return not SUBSTITUTIONS.isdisjoint(self.context)

    def slice(self, start: int, end: int) -> str:
        """The text between two byte offsets. Both must be at character boundaries."""
        part = self.source[start:end]
        return part if self.is_ascii else part.encode("latin-1").decode("utf-8")

    def refusal(self, reason: str, construct: str, start: int, end: int) -> Refusal:
        """The exception to raise where bash and the parser may disagree."""
        return Refusal(Complexity(reason, construct, (start, end)))

    def evaluates(self, reason: str, construct: str, span: Span) -> None:
        """Note a place where bash will evaluate what only run time knows."""
        self.evaluations.append(Complexity(reason, construct, span))

    def uses_number(self, name: str, construct: str, span: Span) -> None:
        """Note that bash evaluates the value of `name` as arithmetic: `a[$(id)]` in it would run `id`."""
        self.numeric_uses.append((name, Complexity("unknown-number", construct, span)))

    def uses_scalar(self, name: str, span: Span) -> None:
        """Note a declaration that bash reads as a list, and expands, if `name` is an array."""
        self.array_uses.append((name, Complexity("array-declaration", "variable_assignment", span)))

    def deferred(self) -> list[Complexity]:
        """The noted uses that turned out to matter, now that all settings of variables are known."""
        numbers = [
            use
            for name, use in self.numeric_uses
            if name in self.unknown_values or VOLATILE.fullmatch(name) or not name.isidentifier()
        ]
        return numbers + [use for name, use in self.array_uses if name in self.arrays]

    def enter(self, *constructs: str) -> tuple[str, ...]:
        """Go one level down, into constructs; hand back the outer context for `leave`."""
        outer = self.context
        self.context = outer + constructs
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.refusal("too-deep", "program", self.start, self.end)
        return outer

    def leave(self, outer: tuple[str, ...]) -> None:
        """Go back up into the outer context."""
        self.context = outer
        self.depth -= 1

    def add(
        self,
        argv: tuple[Word, ...],
        assignments: tuple[Assignment, ...],
        redirects: tuple[Redirect, ...],
        start: int,
        end: int,
    ) -> None:
        """List a simple command in the present context."""
        command = SimpleCommand(argv, assignments, redirects, (start, end), self.slice(start, end), self.context)
        self.commands.append(command)
