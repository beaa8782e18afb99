from __future__ import annotations

from toolaudit.permissions.powershell.aliases import NATIVE_ELSEWHERE
from toolaudit.permissions.powershell.cmdlets import CMDLETS, Cmdlet, Role
from toolaudit.permissions.powershell.statement import Statement, Word
from toolaudit.structs import Struct


class Operand(Struct):
    """One path that a statement names."""

    text: str
    """With quotes removed; of a list, one element."""
    role: Role
    word: Word
    exact: bool = False
    """No character in it is a wildcard."""


class Binding(Struct):
    """The arguments of a statement, sorted as the cmdlet would."""

    cmdlet: Cmdlet
    operands: tuple[Operand, ...]
    positional: tuple[Word, ...]
    """The arguments without a parameter's name."""
    unknown: str | None = None
    """Why the arguments can't be sorted for certain. Then `operands` holds every argument that may be a path."""


def bind(statement: Statement, name: str) -> Binding | None:
    """Sort the arguments of a statement whose command has the full name `name`; None: it is no cmdlet of the table."""
    cmdlet = CMDLETS.get(name)
    if cmdlet is None:
        return None
    operands: list[Operand] = []
    positional: list[Word] = []
    given: set[str] = set()
    unknown: str | None = None
    # A native program of the same name may take the value of any option for a path.
    unclear = _suspected(cmdlet) if statement.name.lower() in NATIVE_ELSEWHERE else Role.VALUE
    words = iter(statement.words[1:])
    for word in words:
        if not word.is_parameter:
            positional.append(word)
            continue
        written, colon, value = word.text[1:].partition(":")
        parameter = _resolve(written.lower(), cmdlet)
        role = cmdlet.parameters.get(parameter) if parameter is not None else None
        if parameter is None or role is None:
            unknown = unknown or f"{word.text} is not a parameter known to be harmless"
            operands += _operands(_after_colon(word), _suspected(cmdlet)) if value else ()
            continue
        given.add(parameter)
        if role is Role.SWITCH:
            if colon and not value and next(words, None) is None:
                unknown = unknown or f"{word.text} has no value"
            continue
        argument = _after_colon(word) if value else next(words, None)
        if argument is None or (argument.is_parameter and not value):
            unknown = unknown or f"{word.text} has no value"
            if argument is not None:
                operands += _operands(argument, _suspected(cmdlet))
        else:
            exact = parameter in ("literalpath", "pspath", "lp")
            operands += _operands(argument, unclear if role is Role.VALUE else role, exact=exact)
    free = [parameter for parameter in cmdlet.positions if not _stands_for(parameter, given)]
    for at, word in enumerate(positional):
        role = cmdlet.parameters.get(free[at], Role.VALUE) if at < len(free) else cmdlet.rest
        if role is None or unknown is not None:
            unknown = unknown or f"{word.text} is one argument too many"
            role = _suspected(cmdlet) if role is None or role is Role.VALUE else role
        operands += _operands(word, unclear if role is Role.VALUE else role)
    return Binding(cmdlet, tuple(operands), tuple(positional), unknown)


def _resolve(written: str, cmdlet: Cmdlet) -> str | None:
    """The parameter that a name or its unambiguous beginning stands for."""
    if written in cmdlet.parameters:
        return written
    found = [parameter for parameter in cmdlet.parameters if parameter.startswith(written)]
    return found[0] if len(found) == 1 else None


def _stands_for(position: str, given: set[str]) -> bool:
    """Whether the parameter at a position is taken by a named argument."""
    if position == "path":
        return not given.isdisjoint({"path", "literalpath", "pspath", "lp"})
    return position in given


def _suspected(cmdlet: Cmdlet) -> Role:
    """What an argument of unclear meaning would be in the worst case."""
    return Role.WRITE if Role.WRITE in cmdlet.parameters.values() else Role.READ


def _after_colon(word: Word) -> Word:
    """The value in `-Name:value`."""
    first = word.items[0].partition(":")[2]
    return Word(word.text.partition(":")[2], (first, *word.items[1:]), word.quoted, word.literal)


def _operands(word: Word, role: Role, *, exact: bool = False) -> list[Operand]:
    return [Operand(item, role, word, exact) for item in word.items if item] if role is not Role.VALUE else []
