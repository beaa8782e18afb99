"""The sound reader of shell commands."""

from __future__ import annotations

from toolaudit.shell import flat, sequences, statements, survey, text, tree
from toolaudit.shell.reading import Complexity, Reading, SimpleCommand
from toolaudit.shell.state import Refusal, State


def read(command: str) -> Reading:
    """Read the text of a command: every simple command in it, or why that can't be said.

    Never raises. What bash and the parser may see differently ends in a `complexity`, with the commands that could be
    made out all the same.
    """
    refused = text.refuse(command)
    if refused is not None:
        return Reading(command, survey.commands(command) if len(command) <= text.MAX_BYTES else (), refused)
    if flat.is_likely(command):
        state = State(command, statements.visit)
        try:
            flat.read(state)
        except Refusal:
            pass  # not flat: the tree decides
        else:
            return _reading(command, state)
    state = State(command, statements.visit)
    state.root = tree.parse(state.data)
    try:
        sequences.read_program(state)
    except Refusal as refusal:
        return Reading(command, survey.commands(command), refusal.complexity, tuple(state.evaluations))
    return _reading(command, state)


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
