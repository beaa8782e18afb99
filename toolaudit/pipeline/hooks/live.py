"""The hooks of the policy, run for real: side by side, each once, and joined to one verdict."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from toolaudit.model import Behavior, Hook, ToolCall
from toolaudit.permissions.hook_words import SILENCE, Heard, Said, join
from toolaudit.permissions.stated_hooks import covers
from toolaudit.pipeline.hooks import command, request
from toolaudit.pipeline.hooks.ran import Ran, words
from toolaudit.pipeline.persisting import persist, shorten
from toolaudit.pipeline.state import State
from toolaudit.structs import Struct, replace
from toolaudit.tools.effects.commands import Runner, find_runner

SIDE_BY_SIDE_MAX: Final = 16
TEXT_CHARS: Final = 10_000
"""A longer text of a hook goes to a file (documents, 10.6)."""


class LiveHooks(Struct):
    """Runs the hooks of the policy. Made only where somebody asked for that by name.

    A hook of a settings file that says `once` runs every time all the same (measured).
    """

    runner: Runner | None = None
    """None: the sandbox of the system, and no command hook runs where it has none."""
    hosts: frozenset[str] = frozenset()
    """Where HTTP hooks may go: nowhere unless named."""
    session: str = ""

    def hear(self, event: str, state: State, facts: Mapping[str, Any]) -> Heard:
        hooks = select(state.policy.hooks, event, state.current)
        if not hooks:
            return SILENCE
        try:
            payload = json.dumps(self._payload(event, state, facts)).encode()
        except (TypeError, ValueError, RecursionError):
            # A hook that can't be told of the call can't let it pass (documents, 10.3).
            return join([Said(Behavior.DENY, f"the call can't be told to {event} hooks")])
        with ThreadPoolExecutor(SIDE_BY_SIDE_MAX, "hook") as pool:
            said = list(pool.map(lambda hook: self._say(hook, payload, state), hooks))
        return join(said)

    def _say(self, hook: Hook, payload: bytes, state: State) -> Said:
        said = words(hook, self._run(hook, payload, state))
        if hook.unheard:
            return Said(note=said.note)
        return replace(said, context=_bounded(said.context, state), feedback=_bounded(said.feedback, state))

    def _run(self, hook: Hook, payload: bytes, state: State) -> Ran:
        cwd = state.workspace.cwd
        match hook.type:
            case "command":
                runner = self.runner or find_runner()
                environment = {"CLAUDE_PROJECT_DIR": cwd}
                return command.run(hook, payload, runner, cwd, writable=(cwd,), environment=environment)
            case "http":
                return request.run(hook, payload, self.hosts)
            case kind:
                return Ran(failure=f"hooks of type {kind} need a model or a server, and are not run")

    def _payload(self, event: str, state: State, facts: Mapping[str, Any]) -> dict[str, Any]:
        call = state.current
        return {
            "session_id": self.session,
            "cwd": state.workspace.cwd,
            "permission_mode": str(state.mode),
            "hook_event_name": event,
            "tool_name": call.tool,
            "tool_input": dict(call.input),
            "tool_use_id": call.id,
            **facts,
        }


def select(hooks: Iterable[Hook], event: str, call: ToolCall) -> tuple[Hook, ...]:
    """The hooks of `event` that cover `call`; of those that do the same, the first one alone."""
    fitting = [hook for hook in hooks if hook.event == event and covers(hook.matcher, hook.condition, call)]
    distinct = {(hook.type, hook.command, hook.arguments): hook for hook in reversed(fitting)}
    return tuple(hook for hook in fitting if distinct[hook.type, hook.command, hook.arguments] is hook)


def _bounded(text: str, state: State) -> str:
    if len(text) <= TEXT_CHARS:
        return text
    directory = state.context.options.results_directory if state.context is not None else ""
    try:
        return persist(text, directory)[0] if directory else shorten(text, TEXT_CHARS)
    except OSError:
        return shorten(text, TEXT_CHARS)
