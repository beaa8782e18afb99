from __future__ import annotations

import hashlib
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolaudit.model import Mode, ToolCall
from toolaudit.pipeline.live import Services
from toolaudit.pipeline.orchestration import run_calls
from toolaudit.pipeline.outcome import CallOutcome
from toolaudit.play.answers import Answers
from toolaudit.play.script import Calls, Meanwhile, Prompt, Script, ScriptedCall, SetMode, Step, Wait
from toolaudit.play.transcript import Transcript
from toolaudit.play.workspace import Ground
from toolaudit.structs import replace
from toolaudit.tools.context import AgentEnd, Prompter, ToolUseContext
from toolaudit.tools.messages import Message

JOIN_SECONDS = 120.0
"""How long the end of a session waits for sub-agents that run on their own."""


@dataclass(frozen=True, slots=True)
class Played:
    """One call that was played."""

    agent: str
    """The sub-agent that made it; empty: the main one."""
    mode: Mode
    """The mode it was decided in."""
    outcome: CallOutcome


class Player:
    """Plays one script. `hear` is told of every call as soon as its message is through."""

    def __init__(
        self,
        ground: Ground,
        context: ToolUseContext,
        services: Services,
        answers: Answers,
        transcript: Transcript | None = None,
        hear: Callable[[Played], None] = lambda played: None,
    ) -> None:
        self._ground = ground
        self._services = services
        self._answers = answers
        self._agents = ScriptedAgents(self)
        self._hear = hear
        self._transcript = transcript
        # Ids name calls beyond their session: the same id in two transcripts is taken for a copy.
        self._session = transcript.session if transcript is not None else secrets.token_hex(8)
        self._lock = threading.Lock()
        self._calls = 0
        self.played: list[Played] = []
        options = replace(context.options, agents=self._agents)
        self._context = replace(context, options=options, prompter=Prompter(answers.ask))

    def play(self, script: Script) -> str | None:
        """Plays to the end, or to what stops the session; says what that was."""
        context = self._context
        if script.mode is not None:
            context = replace(context, permissions=replace(context.permissions, mode=script.mode))
        if self._transcript is not None:
            self._transcript.mode(context.permissions.mode)
        try:
            _, stop = self.steps(script.steps, context, self._transcript)
        finally:
            self._agents.join()
            context.tasks.close()
        return stop

    def steps(
        self, steps: Iterable[Step], context: ToolUseContext, transcript: Transcript | None
    ) -> tuple[ToolUseContext, str | None]:
        """Plays the steps of one agent; the context after them, and what stopped it."""
        for step in steps:
            match step:
                case Prompt(text):
                    context = replace(context, messages=(*context.messages, Message("user", text)))
                    if transcript is not None:
                        transcript.prompt(text, context.permissions.mode)
                case SetMode(mode):
                    context = replace(context, permissions=replace(context.permissions, mode=mode))
                    if transcript is not None:
                        transcript.mode(mode)
                case Meanwhile(files):
                    self._ground.write(files)
                case Wait(seconds):
                    context.abort.wait(seconds)
                case Calls(calls):
                    context, stop = self._message(calls, context, transcript)
                    if stop is not None:
                        return context, stop
        return context, None

    def _message(
        self, scripted: Sequence[ScriptedCall], context: ToolUseContext, transcript: Transcript | None
    ) -> tuple[ToolUseContext, str | None]:
        calls = [self._prepared(call) for call in scripted]
        before = context.permissions.mode
        if transcript is not None:
            transcript.calls(calls)
        turn = run_calls(calls, context, self._services)
        for outcome in turn.outcomes:
            if transcript is not None:
                transcript.result(outcome)
            self._told(Played(context.agent.id, before, outcome))
        after = turn.context.permissions.mode
        if transcript is not None and after is not before:
            transcript.mode(after)
        return turn.context, turn.stop or (turn.context.abort.why if turn.context.abort.aborted else None)

    def _prepared(self, scripted: ScriptedCall) -> ToolCall:
        """The call as the model writes it: places filled in, with an id by which everything about it is known."""
        with self._lock:
            self._calls += 1
            number = self._calls
        digest = hashlib.sha256(f"{self._session} {number}".encode()).hexdigest()
        id = f"toolu_01{digest[:22]}"
        if scripted.answer is not None:
            self._answers.expect(id, scripted.answer)
        given = self._filled(scripted.input)
        if scripted.steps or scripted.report or scripted.mode:
            self._agents.expect(given, scripted)
        return ToolCall(scripted.tool, given, id)

    def _filled(self, given: Mapping[str, Any]) -> dict[str, Any]:
        return {name: _filled(value, str(self._ground.cwd), str(self._ground.home)) for name, value in given.items()}

    def _told(self, played: Played) -> None:
        with self._lock:
            self.played.append(played)
            self._hear(played)

    def agent(self, steps: Iterable[Step], prompt: str, context: ToolUseContext) -> ToolUseContext:
        """Plays a sub-agent's steps, in a transcript of its own."""
        if self._transcript is None:
            return self.steps(steps, context, None)[0]
        with self._transcript.of_agent(context.agent.id) as transcript:
            transcript.mode(context.permissions.mode)
            transcript.prompt(prompt, context.permissions.mode)
            return self.steps(steps, context, transcript)[0]


def _filled(value: Any, cwd: str, home: str) -> Any:
    if isinstance(value, str):
        return value.replace("{cwd}", cwd).replace("{home}", home)
    if isinstance(value, list):
        return [_filled(item, cwd, home) for item in value]
    if isinstance(value, dict):
        return {name: _filled(item, cwd, home) for name, item in value.items()}
    return value


class ScriptedAgents:
    """The loop of sub-agents: each does what the script says of the Agent call with its input."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self._scripted: dict[str, list[ScriptedCall]] = {}
        self._threads: list[threading.Thread] = []

    def expect(self, given: Mapping[str, Any], scripted: ScriptedCall) -> None:
        self._scripted.setdefault(_key(given), []).append(scripted)

    def run(self, given: Mapping[str, Any], context: ToolUseContext) -> AgentEnd:
        waiting = self._scripted.get(_key(given))
        scripted = waiting.pop(0) if waiting else None
        if scripted is None:
            return AgentEnd("The script says nothing of what this agent does.")
        if scripted.mode is not None:
            context = replace(context, permissions=replace(context.permissions, mode=scripted.mode))
        after = self._player.agent(scripted.steps, str(given.get("prompt", "")), context)
        messages = tuple(Message("attachment", m.content, f"agent {context.agent.id}") for m in after.messages)
        return AgentEnd(scripted.report or "Done.", messages)

    def sent(self, thread: threading.Thread) -> None:
        self._threads.append(thread)

    def join(self) -> None:
        deadline = time.monotonic() + JOIN_SECONDS
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))


def _key(given: Mapping[str, Any]) -> str:
    """What tells one Agent call from another."""
    return "\0".join(str(given.get(name, "")) for name in ("subagent_type", "description", "prompt"))
