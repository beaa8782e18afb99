"""The sound reader of shell commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolaudit.shell import flat, text
from toolaudit.shell.reading import Complexity, Reading, SimpleCommand
from toolaudit.shell.state import Refusal, State, Tail

if TYPE_CHECKING:
    from tree_sitter import Node


def read(command: str) -> Reading:
    """Read the text of a command: every simple command in it, or why that can't be said.

    Never raises. What bash and the parser may see differently ends in a `complexity`, with the commands that could be
    made out all the same.
    """
    refused = text.refuse(command)
    if refused is not None:
        return Reading(command, _survey(command) if len(command) <= text.MAX_BYTES else (), refused)
    if flat.is_likely(command):
        state = State(command, _visit)
        try:
            flat.read(state)
        except Refusal:
            pass  # not flat: the tree decides
        else:
            return _reading(command, state)
    # Most texts are flat, and what reads the others costs every start more than a flat text's answer.
    from toolaudit.shell import sequences, statements, tree

    state = State(command, statements.visit)
    state.root = tree.parse(state.data)
    try:
        sequences.read_program(state)
    except Refusal as refusal:
        return Reading(command, _survey(command), refusal.complexity, tuple(state.evaluations))
    return _reading(command, state)


def _visit(state: State, node: Node, tail: Tail | None) -> None:
    from toolaudit.shell import statements

    statements.visit(state, node, tail)


def _survey(command: str) -> tuple[SimpleCommand, ...]:
    from toolaudit.shell import survey

    return survey.commands(command)


def _reading(command: str, state: State) -> Reading:
    evaluations = state.evaluations
    if state.numeric_uses or state.array_uses:
        evaluations = evaluations + state.deferred()
    if not evaluations:
        return Reading(command, _in_order(state.commands))
    evaluations.sort(key=_start)
    return Reading(command, _in_order(state.commands), evaluations[0], tuple(evaluations))


def _in_order(commands: list[SimpleCommand]) -> tuple[SimpleCommand, ...]:
    if len(commands) > 1:
        commands.sort(key=_start)
    return tuple(commands)


def _start(item: SimpleCommand | Complexity) -> int:
    return item.span[0]
