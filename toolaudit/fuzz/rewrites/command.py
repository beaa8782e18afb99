from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar

from toolaudit.fuzz.chance import Chance
from toolaudit.fuzz.facts import Argv

_SAFE = re.compile(r"[A-Za-z0-9_./:=@%+,^-]+")
_RESERVED = frozenset(
    "if then elif else fi while until for do done case esac in select function time coproc { } ! [[ ]]".split()
)


def quote(word: str) -> str:
    """`word` as a shell reads it back, in single quotes only where it needs them."""
    if _SAFE.fullmatch(word) and word not in _RESERVED:
        return word
    return "'" + word.replace("'", "'\\''") + "'"


@dataclass(frozen=True, slots=True)
class Command:
    """A command on its way to look different: what shall be started, and the text that starts it by now."""

    target: Argv
    """What is started in the end."""
    argv: Argv
    """The words that bash makes of `pieces`; another program's where that one starts the target in turn."""
    pieces: tuple[str, ...]
    """How each word of `argv` is written."""
    gap: str = " "
    """What stands between the pieces."""
    before: str = ""
    after: str = ""
    rewrites: tuple[str, ...] = ()
    """The names of what made it so, first to last."""

    @classmethod
    def plain(cls, argv: Iterable[str]) -> Command:
        words = tuple(argv)
        return cls(words, words, tuple(quote(word) for word in words))

    @property
    def text(self) -> str:
        return self.before + self.gap.join(self.pieces) + self.after

    @property
    def ends_plainly(self) -> bool:
        """Whether a semicolon may follow: not behind a here-document, a comment, or `&`."""
        return "\n" not in self.after and "#" not in self.after and not self.after.rstrip().endswith(("&", ";"))

    def respelled(self, at: int, piece: str) -> Command:
        return replace(self, pieces=(*self.pieces[:at], piece, *self.pieces[at + 1 :]))

    def replaced(self, text: str) -> Command:
        """With one piece that makes all the words."""
        return replace(self, pieces=(text,))

    def unframed(self) -> Command:
        """Without what stood around it; for a text that has taken it in."""
        return replace(self, before="", after="")

    def regapped(self, gap: str) -> Command:
        return replace(self, gap=gap)

    def framed(self, before: str, after: str) -> Command:
        return replace(self, before=before + self.before, after=self.after + after)

    def carried(self, argv: Iterable[str]) -> Command:
        """The call of another program, one of whose words says what this command says."""
        words = tuple(argv)
        return replace(self, argv=words, pieces=tuple(quote(word) for word in words), gap=" ", before="", after="")


class Rewrite:
    """One way to say the same differently. The docstring of each names the facts it rests on."""

    name: str
    by_bash: ClassVar[bool] = True
    """Whether bash itself starts the target, so that the oracle sees it; else a row of facts tells who does."""

    is_base: ClassVar[bool] = True

    def __init_subclass__(cls, *, base: bool = False) -> None:
        cls.is_base = base
        cls.name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", cls.__name__).lower()

    @property
    def explanation(self) -> str:
        """The facts it rests on, in a sentence."""
        return " ".join((type(self).__doc__ or "").split())

    def apply(self, command: Command, chance: Chance) -> Command | None:
        """The command rewritten; None where it does not lend itself to this."""
        raise NotImplementedError


class Spelling(Rewrite, base=True):
    """Writes one word another way."""

    def apply(self, command: Command, chance: Chance) -> Command | None:
        if len(command.pieces) != len(command.argv):
            return None
        at = chance.choose(range(len(command.argv)))
        piece = self.spell(command.argv[at], chance)
        return None if piece is None else command.respelled(at, piece)

    def spell(self, word: str, chance: Chance) -> str | None:
        raise NotImplementedError


class Frame(Rewrite, base=True):
    """Puts text in front of the command and behind it."""

    before: ClassVar[str] = ""
    after: ClassVar[str] = ""
    """A leading `;` becomes a line end where the command ends with something that none may follow."""

    def apply(self, command: Command, chance: Chance) -> Command | None:
        after = self.after
        if after.startswith(";") and not command.ends_plainly:
            after = "\n" + after[1:].lstrip()
        return command.framed(self.before, after)
