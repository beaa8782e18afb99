from __future__ import annotations

from toolaudit.permissions.powershell.aliases import cmdlet
from toolaudit.permissions.powershell.binding import Binding, bind
from toolaudit.permissions.powershell.cmdlets import Kind
from toolaudit.permissions.powershell.nested import Suspect, suspects
from toolaudit.permissions.powershell.paths import Accesses, Place, examine
from toolaudit.permissions.powershell.reader import read
from toolaudit.permissions.powershell.statement import Reading, Statement
from toolaudit.permissions.request import Request
from toolaudit.structs import Struct


class Part(Struct):
    """One statement and what it does."""

    statement: Statement
    binding: Binding | None
    """Its arguments; None: the command is not in the table of cmdlets."""
    accesses: Accesses
    place: Place
    """Where it may run."""

    @property
    def kind(self) -> Kind | None:
        """What the command does, its arguments known for certain."""
        if self.binding is None or self.binding.unknown is not None:
            return None
        return self.binding.cmdlet.kind


class Analysis(Struct):
    """A command text taken apart: what the judging functions look at."""

    request: Request
    text: str
    reading: Reading
    parts: tuple[Part, ...]
    suspects: tuple[Suspect, ...]
    """The statements of the text and of texts it hands to another shell: what is looked at for refusing."""
    directories: tuple[str, ...]
    """Where the text may run, by the end of it."""

    @property
    def refused(self) -> str | None:
        """Why the text is not understood."""
        return self.reading.complexity

    @property
    def piped(self) -> bool:
        return any(part.statement.piped for part in self.parts)


def analyse(request: Request, text: str) -> Analysis:
    """Read a command text and examine its statements."""
    reading = read(text)
    place = Place((request.here.cwd,))
    parts = []
    before: str | None = None
    for statement in reading.statements:
        name = cmdlet(statement.name)
        binding = bind(statement, name)
        accesses = examine(statement, binding, before if statement.piped else None, place, request)
        parts.append(Part(statement, binding, accesses, place))
        if binding is not None and binding.cmdlet.kind is Kind.MOVE:
            place = place.after(binding, request)
        before = name
    return Analysis(request, text, reading, tuple(parts), suspects(reading.statements), place.directories)
