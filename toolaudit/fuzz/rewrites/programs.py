"""The command started by another program, one rewrite for each fact that tells how."""

from __future__ import annotations

from dataclasses import replace

from toolaudit.fuzz.chance import Chance
from toolaudit.fuzz.facts import Fact, facts
from toolaudit.fuzz.rewrites.command import Command, Rewrite, quote
from toolaudit.fuzz.starting import fill

_STARTING = ("wrapper", "primary", "shell", "template", "input")


class ByProgram(Rewrite, base=True):
    """Rests on the row of facts whose id is its name."""

    by_bash = False

    def __init__(self, fact: Fact) -> None:
        self.fact = fact
        self.name = fact.id

    @property
    def explanation(self) -> str:
        return self.fact.fact

    def apply(self, command: Command, chance: Chance) -> Command | None:
        fact = self.fact
        if fact.how in ("wrapper", "primary"):
            return _around(command, fact)
        if fact.how == "input":
            return _fed(command, fact, chance)
        if fact.how == "template" and any("{words}" in word or "{argv" in word for word in fact.words):
            words = fill(fact, command.argv, "") if _is_plain(command) else None
        else:
            words = fill(fact, (), command.text)
        return None if words is None else command.carried(words)


def _around(command: Command, fact: Fact) -> Command | None:
    """The words of the command stay as they are written; those of the program stand around them."""
    if not _is_plain(command):
        return None
    return replace(
        command,
        argv=(*fact.before, *command.argv, *fact.after),
        pieces=(*map(quote, fact.before), *command.pieces, *map(quote, fact.after)),
    )


def _fed(command: Command, fact: Fact, chance: Chance) -> Command:
    carried = command.carried(fact.words)
    text = quote(command.text)
    kind = chance.choose(("here-string", "pipe", "here-document"))
    if kind == "here-string":
        return carried.framed("", f" <<<{text}")
    if kind == "pipe":
        return carried.framed(f"printf '%s\\n' {text} | ", "")
    return carried.framed("", f" <<'EOF OF TEXT'\n{command.text}\nEOF OF TEXT\n")


def _is_plain(command: Command) -> bool:
    return not command.before and not command.after and len(command.pieces) == len(command.argv)


REWRITES: tuple[Rewrite, ...] = tuple(ByProgram(fact) for fact in facts() if fact.how in _STARTING)
