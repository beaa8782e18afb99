"""What hooks say: the one reading of a hook's exit code and JSON, whether it ran, was recorded or is only stated.

Exit code 2 blocks whatever the JSON says; with any other code the JSON counts where there is some, and a code without
it is noted and blocks nothing (documents, 10.3; measured). `continue: false` stops the session after the call, which it
does not deny (measured, against documents, 10.6). Several hooks run side by side; the strictest word counts: deny, then
defer, ask, allow (documents, 6 and 10.4).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from toolaudit.model import Behavior
from toolaudit.permissions.request import HookVerdict
from toolaudit.structs import Struct, field

CLASSIFIER_CONTEXT_LIMIT: Final = 2000
"""Characters that a PostToolUse hook may tell the classifier (documents, 9.5.2)."""

_LEGACY: Final[Mapping[str, str]] = {"approve": "allow", "block": "deny"}
_UNBLOCKABLE: Final = frozenset({"PermissionRequest", "PermissionDenied"})
"""Events whose hooks stop nothing by exit code 2 (documents, 10.6)."""


class Said(Struct):
    """What one hook said about one call."""

    behavior: Behavior | None = None
    why: str = ""
    deferred: bool = False
    """The call is left to the program that runs the session (documents, 10.4)."""
    updated_input: Mapping[str, Any] | None = None
    """The whole input, rewritten."""
    context: str = ""
    """What the model is told besides."""
    stop: str | None = None
    """Why the whole session must stop; None: it goes on."""
    feedback: str = ""
    """What the model reads about a call that is over."""
    output: Any = None
    """Stands in for the tool's output; None: the output stays."""
    classifier_context: str = ""
    interrupt: bool = False
    retry: bool = False
    """The model is told that it may try again."""
    updates: tuple[Mapping[str, Any], ...] = ()
    """Changes of rules and mode that come with an answer."""
    note: str = ""
    """What went wrong with the hook without blocking anything."""


class Heard(Struct):
    """What all hooks of one event said together about one call."""

    verdict: HookVerdict = field(default_factory=HookVerdict)
    said: tuple[Said, ...] = ()

    @property
    def deferred(self) -> bool:
        """Whether the call is left to the program that runs the session: a hook says so and none denies."""
        return self.verdict.behavior is not Behavior.DENY and any(said.deferred for said in self.said)

    @property
    def updated_input(self) -> Mapping[str, Any] | None:
        """The rewritten input; where several hooks rewrite it, the last one's."""
        return next((said.updated_input for said in reversed(self.said) if said.updated_input is not None), None)

    @property
    def stop(self) -> str | None:
        return next((said.stop for said in self.said if said.stop is not None), None)

    @property
    def output(self) -> Any:
        return next((said.output for said in reversed(self.said) if said.output is not None), None)

    @property
    def retry(self) -> bool:
        return any(said.retry for said in self.said)

    @property
    def interrupt(self) -> bool:
        return any(said.interrupt for said in self.said)

    def texts(self, field: str) -> tuple[str, ...]:
        """The texts that hooks gave in one field of `Said`, in the hooks' order."""
        return tuple(text for said in self.said if (text := getattr(said, field)))


SILENCE: Final = Heard()
"""No hook spoke."""

_STRICTEST: Final = (Behavior.DENY, Behavior.ASK, Behavior.ALLOW)


def join(said: Iterable[Said]) -> Heard:
    """The joint verdict; of hooks that are equally strict, the first one's reason counts."""
    every = tuple(said)
    rewrote = any(one.updated_input is not None for one in every)
    for behavior in _STRICTEST:
        for one in every:
            if one.behavior is behavior:
                return Heard(HookVerdict(behavior, one.why, rewrote), every)
    return Heard(HookVerdict(), every) if every else SILENCE


def read(event: str, exit_code: int, output: Mapping[str, Any], message: str = "") -> Said:
    """What a hook of `event` said by its exit code, its JSON object and, with code 2, its `message` on stderr."""
    if exit_code == 2:
        return _blocked(event, message)
    specific = output.get("hookSpecificOutput")
    specific = specific if isinstance(specific, Mapping) else {}
    behavior, why, deferred = _decision(event, output, specific)
    stop = _text(output, "stopReason") or "a hook stopped the session" if output.get("continue") is False else None
    answer = specific.get("decision")
    answer = answer if event == "PermissionRequest" and isinstance(answer, Mapping) else {}
    updates = answer.get("updatedPermissions")
    return Said(
        behavior=behavior,
        why=why,
        deferred=deferred,
        updated_input=_object(answer, "updatedInput") or _object(specific, "updatedInput"),
        context=_text(specific, "additionalContext"),
        stop=stop,
        feedback=_text(output, "reason")
        if event.startswith("PostToolUse") and output.get("decision") == "block"
        else "",
        output=specific.get("updatedToolOutput", specific.get("updatedMCPToolOutput")),
        classifier_context=_text(specific, "classifierContext")[:CLASSIFIER_CONTEXT_LIMIT],
        interrupt=answer.get("interrupt") is True,
        retry=event == "PermissionDenied" and specific.get("retry") is True,
        updates=tuple(item for item in updates if isinstance(item, Mapping)) if isinstance(updates, list) else (),
    )


def _blocked(event: str, message: str) -> Said:
    why = f"a {event} hook exited with code 2"
    if event in _UNBLOCKABLE:
        return Said(note=f"{why}, which blocks nothing here")
    if event == "PreToolUse":
        return Said(Behavior.DENY, why, feedback=message)
    return Said(why=why, feedback=message or why)


def _decision(event: str, output: Mapping[str, Any], specific: Mapping[str, Any]) -> tuple[Behavior | None, str, bool]:
    if event == "PermissionRequest":
        answer = specific.get("decision")
        word = answer.get("behavior") if isinstance(answer, Mapping) else None
        if word in ("allow", "deny"):
            return Behavior(word), _text(answer, "message") or f"a {event} hook said {word}", False
        return None, "", False
    if event != "PreToolUse":
        return None, "", False
    word = specific.get("permissionDecision") or _LEGACY.get(_text(output, "decision"))
    if word in ("allow", "ask", "deny"):
        reason = _text(specific, "permissionDecisionReason") or _text(output, "reason")
        return Behavior(word), f"a {event} hook said {word}{f': {reason}' if reason else ''}", False
    return None, "", word == "defer"


def _text(values: Any, name: str) -> str:
    value = values.get(name)
    return value if isinstance(value, str) else ""


def _object(values: Mapping[str, Any], name: str) -> Mapping[str, Any] | None:
    value = values.get(name)
    return value if isinstance(value, Mapping) else None
