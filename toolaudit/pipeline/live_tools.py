"""The tools of a live session: found in its pool, their inputs held against schema, files and session."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from pydantic import ValidationError

from toolaudit.model import Behavior, Decision, Rule, ToolCall
from toolaudit.permissions import own_check
from toolaudit.permissions.judgement import Judge, Judgement
from toolaudit.permissions.request import Request
from toolaudit.pipeline.live_files import LiveFiles
from toolaudit.pipeline.state import State
from toolaudit.pipeline.stated import absent, misfit
from toolaudit.structs import replace
from toolaudit.tools import deferred, registry, validation
from toolaudit.tools.pool import BUILT_IN, PATHS

if TYPE_CHECKING:
    from toolaudit.tools.context import ToolUseContext
    from toolaudit.tools.interface import PermissionResult, Tool

_KNOW_THEMSELVES: Final = frozenset({"Bash", "TaskStop", "CronDelete", "ExitWorktree", "Skill", "Agent"})
"""Tools that know more of the session than its files tell; their own check of the input is the only one."""

_FAULTS_SHOWN: Final = 5


class LiveTools:
    """The pool in the context of the call."""

    def find(self, state: State) -> Decision | str:
        context = _context(state)
        name, said = state.call.tool, "the tool is in the pool"
        tool = next((tool for tool in context.options.tools if tool.name == name), None)
        if tool is None:
            tool = _former(name, context)
            said = f"{name} is a former name of {tool.name}" if tool is not None else said
        gone: Rule | str | None = "there is no tool of this name; names are case-sensitive"
        if tool is not None:
            gone = registry.removed_by(tool, state.policy)
        if gone is not None:
            return absent(gone)
        assert tool is not None
        state.tool = tool
        state.call = replace(state.call, tool=tool.name)
        return said

    def malformed(self, state: State) -> str | None:
        tool, call = _tool(state), state.current
        fault = validation.malformed(call) if _is_built_in(tool) else None
        if fault is None:
            try:
                state.parsed = tool.input_schema.model_validate(dict(call.input))
            except ValidationError as error:
                fault = _worded(error)
        if tool.should_defer and tool.name not in deferred.loaded(_context(state).messages):
            return deferred.unloaded_fault(tool, call.input, fault)
        return fault

    def misfit(self, state: State) -> str | None:
        tool = _tool(state)
        fault = None
        if _is_built_in(tool) and tool.name not in _KNOW_THEMSELVES:
            fault = misfit(state, LiveFiles(_context(state)))
        return fault or tool.validate_input(state.parsed, _context(state))

    def backfill(self, state: State) -> Mapping[str, Any]:
        # INVARIANT: the tool gets a copy, so that whatever it does to it leaves the transcript alone.
        return _tool(state).backfill(dict(state.call.input), _context(state))

    def judge(self, state: State) -> Judge | None:
        tool = _tool(state)
        return None if _is_built_in(tool) else _OwnCheck(state, tool)


class _OwnCheck:
    """Judges a call by the `check_permissions` of its tool, which is asked once."""

    def __init__(self, state: State, tool: Tool[Any, Any, Any]) -> None:
        self._state = state
        self._tool = tool

    def __call__(self, request: Request) -> Judgement:
        state, tool = self._state, self._tool
        given = _as_seen(state)
        word: PermissionResult = tool.check_permissions(given, _context(state))
        if word.updated_input is not None and word.behavior is not Behavior.DENY:
            state.seen = ToolCall(state.call.tool, word.updated_input, state.call.id)
            state.rewritten = True
        return own_check.judge(
            request,
            word,
            read_only=tool.is_read_only(given),
            classifiable=bool(tool.to_auto_classifier_input(given)),
        )


def _as_seen(state: State) -> Any:
    """The parsed input with what was filled in for hooks and permissions."""
    if state.seen is None or state.rewritten:
        return state.parsed
    written = state.call.input
    filled = {name: value for name, value in state.seen.input.items() if written.get(name) != value}
    return state.parsed.model_copy(update=filled)


def _former(name: str, context: ToolUseContext) -> Tool[Any, Any, Any] | None:
    """The tool that once had this name: of the pool, or of all tools there are (old transcripts)."""
    every = (*context.options.tools, *registry.all_base_tools(environment=context.options.environment))
    return next((tool for tool in every if name in tool.aliases), None)


def _worded(error: ValidationError) -> str:
    """What is wrong, parameter by parameter, without the values."""
    faults = [
        f"{'.'.join(map(str, fault['loc'])) or 'the input'}: {fault['msg'].lower()}"
        for fault in error.errors(include_url=False, include_context=False, include_input=False)
    ]
    more = f"; and {len(faults) - _FAULTS_SHOWN} more" if len(faults) > _FAULTS_SHOWN else ""
    return "; ".join(faults[:_FAULTS_SHOWN]) + more


def _is_built_in(tool: Tool[Any, Any, Any]) -> bool:
    return tool.source == "built-in" and (tool.name in BUILT_IN or tool.name in PATHS)


def _tool(state: State) -> Tool[Any, Any, Any]:
    assert state.tool is not None, "the first step finds the tool"
    return state.tool


def _context(state: State) -> ToolUseContext:
    assert state.context is not None, "a live call has a context"
    return state.context
