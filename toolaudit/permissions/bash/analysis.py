from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from toolaudit.patterns import late
from toolaudit.permissions.bash import guards, paths, refusals
from toolaudit.permissions.bash.accesses import Accesses
from toolaudit.permissions.bash.mended import read_mended
from toolaudit.permissions.bash.parts import Part, parts_of
from toolaudit.permissions.bash.whole_texts import between_pipes, whole_texts
from toolaudit.permissions.request import Request
from toolaudit.shell import Reading
from toolaudit.structs import Struct, replace

_JOINS = refusals.COMPOUNDS | {"pipeline"}
_DEFERS = late(r"(?<![&<>|])&(?![&>])")


class Analysis(Struct, cached=True):
    """A command text taken apart: what the judging functions look at."""

    request: Request
    text: str
    reading: Reading
    parts: tuple[Part, ...]
    wholes: tuple[str, ...]
    """The spellings of the whole text that an exact rule may match."""
    refused: str | None
    """Why the client does not look into the text."""
    accesses: tuple[Accesses, ...]
    """The paths of each part; none where the way the text is written hides them."""

    @cached_property
    def guarded(self) -> guards.Guard | None:
        """Why the parts ask together, whatever allows each of them."""
        return guards.guard(self.parts, self.request, self.accesses)

    @cached_property
    def places(self) -> frozenset[str]:
        """The constructs in which the parts stand."""
        return frozenset().union(*[part.command.context for part in self.parts])

    @property
    def counted(self) -> int:
        """How many parts the client sees: a `cd` to where it is counts as none."""
        workspace = self.request.here
        return sum(not (guards.changes_directory(part) and guards.stays(part, workspace)) for part in self.parts)

    def nested_in(self, part: Part) -> list[Part]:
        """The parts that stand in substitutions among the words of `part`."""
        start, end = part.command.span
        return [other for other in self.parts if start < other.command.span[0] and other.command.span[1] <= end]

    @property
    def grouped(self) -> bool:
        """Whether a part stands in a subshell: then not even a rule that spells the text out allows it (measured)."""
        return "subshell" in self.places

    @property
    def piped(self) -> bool:
        return "pipeline" in self.places

    @property
    def joined(self) -> bool:
        """Whether a part stands in a pipeline or in a construct that the client looks into."""
        return not _JOINS.isdisjoint(self.places)

    @property
    def deferred(self) -> bool:
        """Whether `&` puts a part in the background."""
        return any("background" in command.context for command in self.reading.commands)

    @property
    def wholly_deferred(self) -> bool:
        """Whether `&` puts a whole statement of the text in the background."""
        return any(command.context[:1] == ("background",) for command in self.reading.commands)

    @cached_property
    def texts(self) -> tuple[Analysis, ...]:
        """What the client looks at in one go: where a directory changes, what stands between two pipes."""
        split = self.piped and guards.moves(self.parts, self.request.here)
        return tuple(text for text, _ in self._between_pipes()) if split else (self,)

    def deferring(self) -> Iterator[Analysis]:
        """What stands between two pipes with an `&` in it."""
        return (text for text, defers in self._between_pipes() if defers)

    def _between_pipes(self) -> Iterator[tuple[Analysis, bool]]:
        """What stands between two pipes, as a text of its own without its output redirections; is an `&` in it?"""
        source = self.reading.text.encode("utf-8", "surrogatepass")
        groups = [group for group in between_pipes(self.reading, source) if group]
        ends = [group[0].span[0] for group in groups[1:]]
        for group, end in zip(groups, [*ends, len(source)], strict=True):
            starts = [command.span[0] for command in group[1:]]
            gaps = b"\n".join(source[one.span[1] : start] for one, start in zip(group, [*starts, end], strict=True))
            within = [part for part in self.parts if group[0].span[0] <= part.command.span[0] < end]
            parts = tuple([replace(part, command=guards.unredirected(part.command)) for part in within])
            text = replace(self, parts=parts, accesses=paths.examine(parts, self.request))
            yield text, _DEFERS.search(gaps.decode("utf-8", "replace")) is not None


def analyse(request: Request) -> Analysis:
    """Read the command of a call and examine its parts."""
    text = request.call.input["command"]
    reading = read_mended(text, request.version)
    parts = parts_of(reading)
    refused = refusals.refuse(reading, parts)
    seen = refused is None or refusals.sees_paths(reading, parts)
    accesses = paths.examine(parts, request) if seen else ()
    return Analysis(request, text, reading, parts, whole_texts(text, reading), refused, accesses)
