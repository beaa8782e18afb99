"""One call on its way through the steps, and what the steps ask of the world it is made in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from toolaudit.model import Behavior, Decision, Mode, Policy, ReasonType, Rule, ToolCall, TraceEntry
from toolaudit.model.versions import NEWEST, Version
from toolaudit.model.workspace import Workspace
from toolaudit.permissions.hook_words import SILENCE, Heard
from toolaudit.permissions.judgement import Judge
from toolaudit.permissions.request import ClassifierAnswer, Request
from toolaudit.structs import Struct, field
from toolaudit.tools.messages import Message

if TYPE_CHECKING:
    from toolaudit.model.verdict import Verdict
    from toolaudit.pipeline.prompting import Answer
    from toolaudit.tools.context import ToolUseContext
    from toolaudit.tools.interface import Block, Tool, ToolResult


class Pending(Protocol):
    """A classifier's answer that may still be on its way."""

    def answer(self) -> ClassifierAnswer | Verdict | None:
        """Waits for the answer; `unavailable` where there will be none, None where the classifier is skipped."""

    def discard(self) -> None:
        """Nobody needs the answer any more."""


class Classifier(Protocol):
    """What answers in a person's place in modes that have one."""

    def start(self, call: ToolCall, state: State) -> Pending:
        """Begins to judge `call`, and returns at once."""


class Tools(Protocol):
    """What the session offers, and what each tool says of an input."""

    def find(self, state: State) -> Decision | str:
        """Names the tool in `state` as it is called today; a decision where the model may not call it."""

    def malformed(self, state: State) -> str | None:
        """What is wrong with the input taken by itself."""

    def misfit(self, state: State) -> str | None:
        """What is wrong with a well-formed input here and now."""

    def backfill(self, state: State) -> Mapping[str, Any]:
        """The input with derived fields, for hooks and permissions."""

    def judge(self, state: State) -> Judge | None:
        """The tool's own check where it is no built-in tool's."""


class Hooks(Protocol):
    """What hooks say: run, recorded or stated."""

    def hear(self, event: str, state: State, facts: Mapping[str, Any]) -> Heard:
        """What the hooks of `event` that cover the call say; `facts` is what they are told besides the call."""


class Prompter(Protocol):
    """Who answers where the chain asks."""

    def answer(self, state: State) -> Answer | None:
        """The answer; None: the question itself is all that is wanted."""


class Executor(Protocol):
    """What becomes of an allowed call."""

    def execute(self, state: State) -> Decision | str:
        """Leaves a result or a failure in `state`; a decision where the call ends here."""


class Signal(Protocol):
    """Whether the session was interrupted."""

    @property
    def aborted(self) -> bool: ...
    @property
    def why(self) -> str: ...


class World(Struct):
    """Everything a step may ask. One of stated data decides, one of a recording replays, a live one runs."""

    tools: Tools
    hooks: Hooks
    classifier: Classifier
    prompter: Prompter
    executor: Executor
    abort: Signal
    report: Callable[[State], None]
    """Hears of every call at its end."""
    mode_now: Callable[[], Mode] | None = None
    """The session's mode at this moment, where a person may change it while a call is on its way."""


class State(Struct, frozen=False):
    """What the steps know of one call, and what they leave for the next."""

    call: ToolCall
    """As the model wrote it, under the tool's present name; the transcript keeps it."""
    policy: Policy
    mode: Mode
    workspace: Workspace
    world: World
    version: Version = NEWEST
    blocked: int = 0
    """Calls before this one that the classifier blocked in a row."""
    blocked_in_all: int = 0
    """Calls of the session that it blocked."""
    context: ToolUseContext | None = None
    """Of a live call only."""
    tool: Tool[Any, Any, Any] | None = None
    parsed: Any = None
    """The input as the tool's own type, once it was found to fit."""
    seen: ToolCall | None = None
    """What hooks and permissions look at, where that is not the call as it was written."""
    rewritten: bool = False
    """Somebody rewrote the input, so that the tool gets `seen`; else it gets what the model wrote."""
    heard: Heard = SILENCE
    pending: Pending | None = None
    decision: Decision | None = None
    """The permission chain's."""
    answer: Answer | None = None
    """How what the chain asked was answered."""
    result: ToolResult[Any] | None = None
    failure: BaseException | None = None
    block: Block | None = None
    """The `tool_result` for the model."""
    notes: list[Message] = field(default_factory=list)
    """What hooks add to the conversation."""
    new_messages: tuple[Message, ...] = ()
    modifier: Callable[[ToolUseContext], ToolUseContext] | None = None
    stop: str | None = None
    """Why the session must not go on after this call."""
    error_class: str | None = None
    trace: list[TraceEntry] = field(default_factory=list)
    ended_by: str | None = None
    end: Decision | None = None
    """What the step that ended the call decided."""

    def note(self, *texts: str, origin: str) -> None:
        """Adds to the conversation, after the result."""
        self.notes += [Message("attachment", text, origin) for text in texts]

    @property
    def current(self) -> ToolCall:
        """The call that hooks and permissions look at."""
        return self.call if self.seen is None else self.seen

    @property
    def request(self) -> Request:
        """The question to the permission chain, before any classifier has spoken."""
        return Request(
            self.current,
            self.policy,
            self.mode,
            self.workspace,
            self.heard.verdict,
            version=self.version,
            blocked=self.blocked,
            blocked_in_all=self.blocked_in_all,
            interactive=self.context is not None and self.context.options.interactive,
            judge=self.world.tools.judge(self),
            directory=self.directory,
        )

    @property
    def directory(self) -> str:
        """Where the shell of a live session stands; empty: in the working directory."""
        return "" if self.context is None else self.context.permissions.directory


def ends(
    stage: str, behavior: Behavior, why: str, rule: Rule | None = None, reason_type: ReasonType | None = None
) -> Decision:
    """The decision of a step that ends the call."""
    return Decision(behavior, stage, reason_type, why, rule, trace=(TraceEntry(stage, why, behavior),))
