"""The world of stated data: what `decide` puts its question to. Nothing in it runs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from toolaudit.model import Behavior, Decision, Rule, TraceEntry
from toolaudit.permissions.hook_words import SILENCE, Heard
from toolaudit.permissions.judgement import Judge
from toolaudit.permissions.request import Ask, ClassifierAnswer
from toolaudit.pipeline.state import State, World, ends
from toolaudit.structs import Struct, replace
from toolaudit.tools import pool
from toolaudit.tools.paths import absolute
from toolaudit.tools.pool import Pool
from toolaudit.tools.session import FileKnowledge, Session

if TYPE_CHECKING:
    from toolaudit.model import ToolCall
    from toolaudit.model.verdict import Verdict


def path_of(state: State) -> str:
    """The absolute path of a file tool's call; empty for any other."""
    call = state.current
    if call.tool not in pool.PATHS:
        return ""
    given = call.input.get(pool.PATHS[call.tool]) or "."
    return absolute(given, state.workspace, state.directory) if isinstance(given, str) else ""


def absent(gone: Rule | str) -> Decision:
    """The decision about a tool that the model does not have: a rule took it out, or a reason in words."""
    if isinstance(gone, Rule):
        return ends("lookup", Behavior.REMOVED, f"deny rule {gone.text} takes the tool out of the pool", gone)
    return ends("lookup", Behavior.REMOVED, gone)


class StatedTools(Struct):
    """The built-in tools by their measured schemas; without a session, every input passes."""

    offered: Pool
    session: Session | None

    def find(self, state: State) -> Decision | str:
        name = pool.canonical(state.call.tool)
        if name != state.call.tool:
            state.call = replace(state.call, tool=name)
        gone = pool.removed(name, state.policy, self.offered)
        return "the tool is in the pool" if gone is None else absent(gone)

    def malformed(self, state: State) -> str | None:
        if self.session is None:
            return None
        from toolaudit.tools import validation

        return validation.malformed(state.current)

    def misfit(self, state: State) -> str | None:
        return None if self.session is None else misfit(state, self.session)

    def backfill(self, state: State) -> Mapping[str, Any]:
        """Nothing: the chain looks paths up by itself."""
        return state.call.input

    def judge(self, state: State) -> Judge | None:
        return None


def misfit(state: State, session: FileKnowledge) -> str | None:
    """What is wrong with the input of a built-in tool in this session."""
    from toolaudit.permissions import files
    from toolaudit.tools import validation

    path = path_of(state)
    readable = bool(path) and files.readable(path, state.request)
    return validation.misfit(state.current, path, state.workspace, session, state.mode, readable, state.version)


class StatedHooks(Struct):
    """Hook verdicts given as data."""

    hooks: tuple[Mapping[str, Any], ...] = ()

    def hear(self, event: str, state: State, facts: Mapping[str, Any]) -> Heard:
        if not self.hooks:
            return SILENCE
        from toolaudit.permissions import stated_hooks

        return stated_hooks.hear(self.hooks, state.current, event)


class Fixed(Struct):
    """A classifier with one answer for every call; its answers are there at once."""

    said: ClassifierAnswer = "unavailable"

    def start(self, call: ToolCall, state: State) -> Fixed:
        return self

    def answer(self) -> ClassifierAnswer:
        return self.said

    def discard(self) -> None:
        """Costs nothing and stops nothing."""


class Inquired(Struct):
    """A classifier that is asked only when its answer is needed."""

    ask: Ask
    call: ToolCall | None = None

    def start(self, call: ToolCall, state: State) -> Inquired:
        return Inquired(self.ask, call)

    def answer(self) -> Verdict | None:
        assert self.call is not None, "only what was started answers"
        return self.ask(self.call)

    def discard(self) -> None:
        """Nothing was asked yet."""


def answering(given: ClassifierAnswer | Ask) -> Fixed | Inquired:
    """The classifier of a stated answer, or of something to ask."""
    return Fixed(given) if isinstance(given, str) else Inquired(given)


class Unasked:
    """Puts no question to anybody: that there is one is the answer."""

    def answer(self, state: State) -> None:
        return None


class Predicted(Struct):
    """Foretells whether an allowed call gets done, and what it leaves in the session; ends every call."""

    session: Session | None

    def execute(self, state: State) -> Decision:
        decision, session = state.decision, self.session
        assert decision is not None
        if session is None:
            return decision
        from toolaudit.tools import validation

        call, path = state.current, path_of(state)
        why = validation.failure(call, path, session)
        if why is not None:
            failed = TraceEntry("execution", why, Behavior.INVALID)
            return Decision(Behavior.INVALID, "execution", None, why, trace=(*decision.trace, failed))
        if path:
            session.record(call, path)
        return decision


class _Undisturbed:
    aborted = False
    why = ""


_UNDISTURBED: Final = _Undisturbed()
_UNASKED: Final = Unasked()


def _unheard(state: State) -> None:
    """Nobody collects what decisions are made."""


def world(
    hooks: tuple[Mapping[str, Any], ...], answer: ClassifierAnswer | Ask, offered: Pool, session: Session | None
) -> World:
    """A world in which all is given."""
    if not hooks and isinstance(answer, str) and offered is pool.ANY and session is None:
        return _silent(answer)
    return _stated(hooks, answer, offered, session)


@cache
def _silent(answer: ClassifierAnswer) -> World:
    """The world of most questions: no hooks, any tool, no session. Made once, as nothing in it changes."""
    return _stated((), answer, pool.ANY, None)


def _stated(
    hooks: tuple[Mapping[str, Any], ...], answer: ClassifierAnswer | Ask, offered: Pool, session: Session | None
) -> World:
    return World(
        StatedTools(offered, session),
        StatedHooks(hooks),
        answering(answer),
        _UNASKED,
        Predicted(session),
        _UNDISTURBED,
        _unheard,
    )
