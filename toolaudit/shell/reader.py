"""The sound reader of shell commands."""

from __future__ import annotations

from toolaudit.shell import statements, survey, text, tree
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
    state = State(command, tree.parse, statements.read_program, statements.read_statements)
    try:
        tree.check_gap(state, 0, state.root.start_byte, newlines=True)
        statements.read_program(state)
        tree.check_gap(state, state.root.end_byte, state.end, newlines=True)
    except Refusal as refusal:
        return Reading(command, survey.commands(command), refusal.complexity, tuple(state.evaluations))
    evaluations = _evaluations(state)
    complexity = evaluations[0] if evaluations else None
    return Reading(command, _in_order(state.commands), complexity, evaluations)


def _in_order(commands: list[SimpleCommand]) -> tuple[SimpleCommand, ...]:
    return tuple(sorted(commands, key=_start))


def _start(command: SimpleCommand) -> int:
    return command.span[0]


def _evaluations(state: State) -> tuple[Complexity, ...]:
    """What was noted on the way, and each arithmetic use of a variable that is also set to something unknown."""
    unknown = [use for name, use in state.numeric_uses if name in state.unknown_values or not name.isidentifier()]
    return tuple(sorted([*state.evaluations, *unknown], key=lambda evaluation: evaluation.span))
