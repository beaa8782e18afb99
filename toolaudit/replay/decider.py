from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import msgspec

from toolaudit.classifier.inquiry import Conversation, Inquiry
from toolaudit.classifier.stages import Classifier
from toolaudit.model import Behavior, Decision, Directory, Mode, Policy, Scope, Source, ToolCall
from toolaudit.model.versions import NEWEST, Version
from toolaudit.model.workspace import UnknownWorkspace, Workspace
from toolaudit.permissions import HookVerdict, decide
from toolaudit.permissions.bash.mended import read_once
from toolaudit.permissions.blocks import counts_blocks
from toolaudit.permissions.request import ClassifierAnswer
from toolaudit.permissions.stated_hooks import holds, matches
from toolaudit.pipeline.outcome import CallOutcome
from toolaudit.pipeline.recorded import replay_call
from toolaudit.replay.classified import Session, Sessions
from toolaudit.replay.machine import directories, home_of, of_today
from toolaudit.replay.record import Change, Flip, Record, compare
from toolaudit.settings import effective_mode
from toolaudit.structs import replace
from toolaudit.transcripts import RecordedCall, RecordedOutcome

LoadPolicy = Callable[[str, str], Policy]
"""The policy as it is for a session in a project directory (first) of a user with a home directory (second)."""

_MOST_PLACES = 256
_MOST_REMEMBERED = 8192
_MOST_REMEMBERED_BYTES = 8 << 20
"""Of the inputs of remembered calls; a decision repeats its call's text a few times."""

_SAID: Mapping[ClassifierAnswer, str] = {
    "allow": "the classifier allowed it",
    "block": "the classifier blocked it",
    "unavailable": "the classifier were down",
}
_ANSWERS: Mapping[str, ClassifierAnswer] = {answer: answer for answer in _SAID}
_NEW = Session()
_MODES = (Mode.DEFAULT, Mode.ACCEPT_EDITS, Mode.PLAN, Mode.AUTO, Mode.DONT_ASK, Mode.BYPASS)

_PROSE = "description"
"""The parameter that is there for people to read: no decision depends on it unless a rule names it."""

_encode = msgspec.json.Encoder(order="sorted").encode


@dataclass(frozen=True, slots=True)
class Settings:
    """What a replay holds the recorded calls against."""

    load: LoadPolicy
    mode: Mode | None = None
    """One mode for all calls; None: the policy's own."""
    recorded_modes: bool = False
    """Decide each call in the mode it was made in, where that is known."""
    home: str | None = None
    """None: the home directory that the session's project lies in."""
    trusted: bool = True
    classifier: ClassifierAnswer | Classifier = "unavailable"
    version: Version = NEWEST
    interactive: bool = False
    """A person is there to fall back to when the classifier blocks again and again."""
    flips: bool = False
    """Decide each call again as it would be with another answer of the classifier, and in other modes."""


@dataclass(frozen=True, slots=True)
class _Place:
    """The policy and the machine, in one working directory of one project. Both are compared by identity."""

    policy: Policy
    workspace: Workspace
    mode: Mode
    reads_prose: bool


class Decider:
    """Decides recorded calls, and remembers decisions by what they depend on."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._policies: dict[str, Policy] = {}
        self._places: dict[tuple[str, str], _Place] = {}
        self._decisions: dict[tuple[object, ...], tuple[Decision, str | None]] = {}
        self._remembered_bytes = 0
        self._sessions = Sessions()
        self._tracks = not isinstance(settings.classifier, str) or counts_blocks(settings.version, settings.interactive)

    def record(self, recorded: RecordedCall) -> Record:
        """The call with the policy's decision about it."""
        root, cwd = directories(recorded)
        if not recorded.counterpart:
            return self._stranger(recorded, self._places.get((root, cwd)) or self._place(root, cwd))
        place = self._places.get((root, cwd)) or self._place(root, cwd)
        use_recorded = self._settings.recorded_modes and recorded.mode is not None
        mode = self._mode(recorded, place)
        hook = self._hook(recorded, place.policy)
        call = of_today(recorded.call)
        session = self._sessions.of(recorded) if self._tracks else _NEW
        given = _input_key(call, place)
        key = (call.tool, given, mode, root, cwd, hook is not None)
        known = self._decisions.get(key)
        if known is None:
            known = self._decide(call, place, mode, hook)
            self._remembered_bytes += len(given)
            if len(self._decisions) >= _MOST_REMEMBERED or self._remembered_bytes > _MOST_REMEMBERED_BYTES:
                self._decisions.clear()
                self._remembered_bytes = len(given)
            self._decisions[key] = known
        decision, complexity = known
        if decision.verdict is not None or decision.stage == "removal":
            decision = self._ask(call, place, mode, hook, session)
        if self._tracks:
            session.decided(recorded, call, decision, mode, self._settings.version)
        flips = self._flips(call, place, mode, hook, decision) if self._settings.flips else ()
        return Record(recorded, mode, use_recorded, decision, compare(recorded, decision), complexity, flips)

    def _ask(self, call: ToolCall, place: _Place, mode: Mode, hook: HookVerdict | None, session: Session) -> Decision:
        """The decision on a call that reaches the classifier, with its session up to there."""
        settings = self._settings
        return decide(
            call,
            place.policy,
            mode,
            place.workspace,
            hook=hook,
            classifier=self._answer(place, session.conversation),
            version=settings.version,
            blocks=session.blocks,
            interactive=settings.interactive,
        )

    def _flips(
        self, call: ToolCall, place: _Place, mode: Mode, hook: HookVerdict | None, decision: Decision
    ) -> tuple[Flip, ...]:
        """What would be decided otherwise, if the classifier had said something else, or in another mode."""
        others: list[tuple[str, Mode, ClassifierAnswer]] = []
        verdict = decision.verdict
        if verdict is not None:
            others += [(name, mode, said) for said, name in _SAID.items() if said != verdict.behavior]
        said = _ANSWERS[verdict.behavior] if verdict is not None else "unavailable"
        others += [(f"mode {other}", other, said) for other in _MODES if other is not mode]
        flips = []
        for name, other, answer in others:
            found = decide(
                call,
                place.policy,
                other,
                place.workspace,
                hook=hook,
                classifier=answer,
                version=self._settings.version,
            )
            if found.behavior is not decision.behavior:
                flips.append(Flip(name, found.behavior))
        return tuple(flips)

    def walk(self, recorded: RecordedCall) -> CallOutcome:
        """The call on its way through all steps of the pipeline, with what the recording tells of those after."""
        root, cwd = directories(recorded)
        place = self._places.get((root, cwd)) or self._place(root, cwd)
        return replay_call(
            recorded,
            of_today(recorded.call),
            place.policy,
            self._mode(recorded, place),
            place.workspace,
            hook=self._hook(recorded, place.policy),
            classifier=self._answer(place, Conversation()),
            version=self._settings.version,
        )

    def _answer(self, place: _Place, conversation: Conversation) -> ClassifierAnswer | Inquiry:
        said = self._settings.classifier
        return said if isinstance(said, str) else Inquiry(said, place.policy, place.workspace, conversation)

    def _mode(self, recorded: RecordedCall, place: _Place) -> Mode:
        return recorded.mode if self._settings.recorded_modes and recorded.mode is not None else place.mode

    @staticmethod
    def _stranger(recorded: RecordedCall, place: _Place) -> Record:
        """A call of another agent's tool that the client has nothing like: named, not decided as if it were another."""
        why = f"no tool of the client does what {recorded.agent}'s tool does"
        decision = Decision(Behavior.REMOVED, "counterpart", None, why)
        return Record(recorded, place.mode, False, decision, Change.UNKNOWN, None)

    def _decide(
        self, call: ToolCall, place: _Place, mode: Mode, hook: HookVerdict | None
    ) -> tuple[Decision, str | None]:
        version = self._settings.version
        decision = decide(call, place.policy, mode, place.workspace, hook=hook, version=version)
        command = call.input.get("command")
        if call.tool != "Bash" or not isinstance(command, str):
            return decision, None
        complexity = read_once(command).complexity
        return decision, complexity.reason if complexity is not None else None

    def _place(self, root: str, cwd: str) -> _Place:
        home = self._settings.home or home_of(root)
        policy = self._policies.get(root)
        if policy is None:
            policy = self._settings.load(root, home)
            if len(self._policies) >= _MOST_PLACES:
                self._policies.clear()
            self._policies[root] = policy
        mode, _ = effective_mode(policy, self._settings.mode)
        if cwd != root:
            # The shell has moved on; the directories the session may work in have not.
            here = Directory(root, Source(Scope.CLI))
            policy = replace(policy, directories=(here, *policy.directories))
        reads_prose = any((rule.specifier or "").startswith(f"{_PROSE}:") for rule in policy.rules)
        place = _Place(policy, UnknownWorkspace(cwd, home, self._settings.trusted), mode, reads_prose)
        if len(self._places) >= _MOST_PLACES:
            self._places.clear()
        self._places[root, cwd] = place
        return place

    @staticmethod
    def _hook(recorded: RecordedCall, policy: Policy) -> HookVerdict | None:
        """The recorded denial of a hook, where the policy has a hook that could give it. No hook is ever run."""
        if recorded.outcome is not RecordedOutcome.HOOK_DENIED:
            return None
        for hook in policy.hooks:
            covers = hook.event == "PreToolUse" and matches(hook.matcher, recorded.call.tool)
            if covers and (hook.condition is None or holds(hook.condition, recorded.call)):
                return HookVerdict(Behavior.DENY, "a PreToolUse hook is recorded to have denied it")
        return None


def _input_key(call: ToolCall, place: _Place) -> bytes:
    given = call.input
    if place.reads_prose or not isinstance(given.get(_PROSE), str):
        return _encode(given)
    return _encode({name: value for name, value in given.items() if name != _PROSE})
