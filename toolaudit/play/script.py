"""The script format, YAML or JSON. A list of steps, each one thing that happens in a session:

    mode: default                  # the mode to begin in; optional
    steps:
      - prompt: Fix the tests      # a person says something
      - mode: acceptEdits          # a person changes the mode
      - meanwhile: {a.py: "x = 2"} # somebody else writes a file; null removes it
      - wait: 0.5                  # seconds go by
      - call: {Read: {file_path: a.py}}
      - calls:                     # the calls of one message
          - Read: {file_path: "{cwd}/a.py"}
          - {tool: Bash, input: {command: make}, answer: allow}
          - tool: Agent
            input: {description: Look, prompt: Look around}
            mode: bubble
            steps: [{call: {Grep: {pattern: TODO}}}]
            report: Nothing found

`{cwd}` and `{home}` in texts of an input are the workspace and the home directory. `answer` is what a person says if
the call is asked about; without one, the answer of the whole run counts. `steps` and `report` are what the sub-agent of
an Agent call does and says, and `mode` is the one it works in; without it, its parent's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from toolaudit.model import Behavior, Mode
from toolaudit.testing import document
from toolaudit.testing.document import Path, YamlDocument

ANSWERS: Final = {"allow": Behavior.ALLOW, "deny": Behavior.DENY}
WAIT_MAX: Final = 60.0


@dataclass(frozen=True, slots=True)
class Prompt:
    text: str


@dataclass(frozen=True, slots=True)
class SetMode:
    mode: Mode


@dataclass(frozen=True, slots=True)
class Meanwhile:
    """Files that somebody else writes, by paths relative to the workspace; None: removes."""

    files: Mapping[str, str | None]


@dataclass(frozen=True, slots=True)
class Wait:
    seconds: float


@dataclass(frozen=True, slots=True)
class ScriptedCall:
    tool: str
    input: Mapping[str, Any]
    answer: Behavior | None = None
    steps: tuple[Step, ...] = ()
    report: str = ""
    mode: Mode | None = None
    """Of a sub-agent; None: its parent's."""


@dataclass(frozen=True, slots=True)
class Calls:
    """The calls of one message."""

    calls: tuple[ScriptedCall, ...]


Step = Prompt | SetMode | Meanwhile | Wait | Calls


@dataclass(frozen=True, slots=True)
class Script:
    steps: tuple[Step, ...]
    mode: Mode | None = None
    """The mode to begin in; None: what the policy sets."""


def read(data: bytes, file: str) -> Script:
    """The script in `data`. Raises PolicyTestError, with line and column, for what is none."""
    return _Reader(document.read(data, file)).script()


class _Reader:
    def __init__(self, held: YamlDocument) -> None:
        self._held = held

    def script(self) -> Script:
        value = self._held.value
        if isinstance(value, list):
            return Script(tuple(self._steps(value, ())))
        given = self._object(value, (), {"mode", "steps"})
        steps = tuple(self._steps(given.get("steps"), ("steps",)))
        return Script(steps, self._mode(given["mode"], ("mode",)) if given.get("mode") is not None else None)

    def _steps(self, value: Any, path: Path) -> Iterator[Step]:
        if not isinstance(value, list):
            raise self._held.error(f"expected a list of steps, got {_kind(value)}", *path)
        for index, item in enumerate(value):
            yield self._step(item, (*path, index))

    def _step(self, value: Any, path: Path) -> Step:
        given = self._object(value, path, {"prompt", "mode", "meanwhile", "wait", "call", "calls"})
        if len(given) != 1:
            raise self._held.error(f"expected one thing to happen, got {', '.join(given) or 'none'}", *path)
        ((name, inner),) = given.items()
        at = (*path, name)
        match name:
            case "prompt":
                return Prompt(self._text(inner, at))
            case "mode":
                return SetMode(self._mode(inner, at))
            case "meanwhile":
                return self._meanwhile(inner, at)
            case "wait":
                if isinstance(inner, bool) or not isinstance(inner, int | float) or not 0 <= inner <= WAIT_MAX:
                    raise self._held.error(f"expected seconds from 0 to {WAIT_MAX:g}", *at)
                return Wait(float(inner))
            case "call":
                return Calls((self._call(inner, at),))
        if not isinstance(inner, list) or not inner:
            raise self._held.error(f"expected a list of calls, got {_kind(inner)}", *at)
        return Calls(tuple(self._call(item, (*at, index)) for index, item in enumerate(inner)))

    def _call(self, value: Any, path: Path) -> ScriptedCall:
        if isinstance(value, dict) and len(value) == 1 and "tool" not in value:
            ((tool, given),) = value.items()
            return ScriptedCall(tool, self._input(given, (*path, tool)))
        given = self._object(value, path, {"tool", "input", "answer", "steps", "report", "mode"})
        answer = given.get("answer")
        if answer is not None and answer not in ANSWERS:
            raise self._held.error("expected allow or deny", *path, "answer")
        return ScriptedCall(
            self._text(given.get("tool"), (*path, "tool")),
            self._input(given.get("input", {}), (*path, "input")),
            ANSWERS[answer] if answer is not None else None,
            tuple(self._steps(given.get("steps", []), (*path, "steps"))),
            self._text(given.get("report", ""), (*path, "report")),
            self._mode(given["mode"], (*path, "mode")) if given.get("mode") is not None else None,
        )

    def _meanwhile(self, value: Any, path: Path) -> Meanwhile:
        if not isinstance(value, dict):
            raise self._held.error(f"expected files and their texts, got {_kind(value)}", *path)
        for name, text in value.items():
            if text is not None and not isinstance(text, str):
                raise self._held.error(f"expected a text or null, got {_kind(text)}", *path, name)
            if name.startswith("/") or ".." in name.split("/"):
                raise self._held.error("expected a path inside the workspace", *path, name)
        return Meanwhile(value)

    def _input(self, value: Any, path: Path) -> Mapping[str, Any]:
        if value is None:
            return {}
        if not isinstance(value, dict):
            raise self._held.error(f"expected the input as an object, got {_kind(value)}", *path)
        return value

    def _object(self, value: Any, path: Path, known: set[str]) -> Mapping[str, Any]:
        if not isinstance(value, dict):
            raise self._held.error(f"expected an object, got {_kind(value)}", *path)
        unknown = next((name for name in value if name not in known), None)
        if unknown is not None:
            raise self._held.error(f"expected one of {', '.join(sorted(known))}, got {unknown}", *path, unknown)
        return value

    def _text(self, value: Any, path: Path) -> str:
        if not isinstance(value, str):
            raise self._held.error(f"expected a text, got {_kind(value)}", *path)
        return value

    def _mode(self, value: Any, path: Path) -> Mode:
        try:
            return Mode.parse(self._text(value, path))
        except ValueError:
            raise self._held.error("expected a permission mode, such as default or acceptEdits", *path) from None


def _kind(value: Any) -> str:
    return {dict: "an object", list: "a list", str: "a text", type(None): "nothing"}.get(type(value), repr(value))
