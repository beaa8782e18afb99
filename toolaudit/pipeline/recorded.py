"""The world of a recording: the steps of a call that was made long ago, under the policy of today.

Steps 1 to 9 are decided as ever, except where the recording shows that a call got no further: it was refused as
invalid, or cancelled. A prompt is answered as it was then, and step 10 takes the recorded result; where there is none,
because the call was refused then, the call ends there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from toolaudit.model import Behavior, Decision, Mode, Policy, ToolCall
from toolaudit.model.versions import NEWEST, Version
from toolaudit.model.workspace import Workspace
from toolaudit.permissions import HookVerdict
from toolaudit.permissions.hook_words import SILENCE, Heard, Said, join
from toolaudit.permissions.judgement import Judge
from toolaudit.permissions.request import Ask, ClassifierAnswer
from toolaudit.pipeline.outcome import CallOutcome, outcome_of
from toolaudit.pipeline.prompting import Answer
from toolaudit.pipeline.run import walk
from toolaudit.pipeline.state import State, World, ends
from toolaudit.pipeline.stated import StatedTools, answering
from toolaudit.structs import Struct
from toolaudit.tools import pool
from toolaudit.transcripts import RecordedCall, RecordedOutcome

_UNKNOWN_TOOL: Final = "No such tool available"
_MALFORMED: Final = "InputValidationError"

_CLASSIFIER: Final[Mapping[RecordedOutcome, ClassifierAnswer]] = {
    RecordedOutcome.EXECUTED: "allow",
    RecordedOutcome.EXECUTED_ERROR: "allow",
    RecordedOutcome.AUTOMODE_BLOCKED: "block",
}
"""What became of a call -> what a classifier must have said, had it been asked."""

_ANSWERS: Final = {
    RecordedOutcome.EXECUTED: Answer(Behavior.ALLOW, "the call went on then", "recording"),
    RecordedOutcome.EXECUTED_ERROR: Answer(Behavior.ALLOW, "the call went on then", "recording"),
    RecordedOutcome.USER_REJECTED: Answer(Behavior.DENY, "a person refused it then", "recording"),
    RecordedOutcome.ASK_UNANSWERED: Answer(Behavior.DENY, "nobody was there to ask then", "recording"),
}
"""What became of a call -> how a prompt about it was answered."""


class RecordedFailure(Exception):
    """A call that ran and failed; what it said stays in the recording."""

    code = "recorded_failure"


class RecordedTools(Struct):
    """The tools of today, and what the recording shows of an input that was refused."""

    recorded: RecordedCall
    stated: StatedTools

    def find(self, state: State) -> Decision | str:
        if not self.recorded.counterpart:
            why = f"no tool of the client does what {self.recorded.agent}'s tool does"
            return ends("lookup", Behavior.REMOVED, why)
        found = self.stated.find(state)
        if self._refused and _UNKNOWN_TOOL in self._marker and isinstance(found, str):
            return ends("lookup", Behavior.REMOVED, "the session did not offer the tool then")
        return found

    def malformed(self, state: State) -> str | None:
        return f"refused as malformed then ({self._marker})" if self._refused and _MALFORMED in self._marker else None

    def misfit(self, state: State) -> str | None:
        return f"refused as senseless then ({self._marker})" if self._refused else None

    def backfill(self, state: State) -> Mapping[str, Any]:
        return state.call.input

    def judge(self, state: State) -> Judge | None:
        return None

    @property
    def _refused(self) -> bool:
        return self.recorded.outcome is RecordedOutcome.VALIDATION_ERROR

    @property
    def _marker(self) -> str:
        return self.recorded.evidence.marker


class RecordedHooks(Struct):
    """The verdict of the PreToolUse hooks as it was recorded; nothing is known of what other hooks said."""

    verdict: HookVerdict | None

    def hear(self, event: str, state: State, facts: Mapping[str, Any]) -> Heard:
        if self.verdict is None or event != "PreToolUse":
            return SILENCE
        return join([Said(self.verdict.behavior, self.verdict.why)])


class RecordedPrompter(Struct):
    """Answers as somebody did then."""

    outcome: RecordedOutcome

    def answer(self, state: State) -> Answer:
        return _ANSWERS.get(self.outcome) or Answer(
            Behavior.DENY, f"the recording holds no answer ({self.outcome})", "recording"
        )


class RecordedExecutor(Struct):
    """Takes the recorded result."""

    outcome: RecordedOutcome

    def execute(self, state: State) -> str | Decision:
        if self.outcome is RecordedOutcome.EXECUTED:
            return "the recorded result"
        if self.outcome is RecordedOutcome.EXECUTED_ERROR:
            state.failure = RecordedFailure("the failure that was recorded")
            return "the recorded result, a failure"
        why = "refused then" if self.outcome.refused else "nothing is recorded of its end"
        return ends("execution", Behavior.ALLOW, f"allowed now, but {why} ({self.outcome}): there is no result")


class RecordedSignal(Struct):
    """Whether the call was cancelled then; a recording seldom tells before which step."""

    aborted: bool
    why: str


def _unheard(state: State) -> None:
    """What was recorded long ago is reported to nobody."""


def replay_call(
    recorded: RecordedCall,
    call: ToolCall,
    policy: Policy,
    mode: Mode,
    workspace: Workspace,
    *,
    hook: HookVerdict | None = None,
    classifier: ClassifierAnswer | Ask = "unavailable",
    version: Version = NEWEST,
) -> CallOutcome:
    """Takes `call`, which is `recorded` in today's words, through the fourteen steps. Nothing is run.

    `classifier` is what one answers where the recording does not show what it said.
    """
    outcome = recorded.outcome
    cancelled = outcome is RecordedOutcome.CANCELLED
    was_classified = recorded.mode in (Mode.AUTO, Mode.PLAN)
    world = World(
        RecordedTools(recorded, StatedTools(pool.ANY, None)),
        RecordedHooks(hook),
        answering(_CLASSIFIER.get(outcome, classifier) if was_classified else classifier),
        RecordedPrompter(outcome),
        RecordedExecutor(outcome),
        RecordedSignal(cancelled, f"cancelled then ({recorded.evidence.marker})" if cancelled else ""),
        _unheard,
    )
    state = State(call, policy, mode, workspace, world, version)
    walk(state)
    return outcome_of(state)
