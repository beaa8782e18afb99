"""Cases as YAML, ready to paste into a test file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from toolaudit.model import Mode, ToolCall
from toolaudit.patterns import late

_PLAIN = late(r"[A-Za-z_./~][\w./~+-]*(?: [\w./~+-]+)*")
_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})


def write_case(
    name: str, call: ToolCall, mode: Mode | None, expect: Mapping[str, str], places: Mapping[str, str]
) -> str:
    """One entry of `cases`. `places` are `cwd` and `home`, which are written as `{cwd}` and `{home}`."""
    return "\n".join(_lines(name, call, mode, expect, places))


def _lines(
    name: str, call: ToolCall, mode: Mode | None, expect: Mapping[str, str], places: Mapping[str, str]
) -> Iterator[str]:
    yield f"  - name: {scalar(name)}"
    given = placed(dict(call.input), places)
    if call.tool == "Bash" and set(given) == {"command"}:
        yield f"    command: {scalar(given['command'])}"
    else:
        yield f"    tool: {scalar(call.tool)}"
        yield f"    input: {flow(given)}"
    if mode is not None:
        yield f"    mode: {mode}"
    yield f"    expect: {flow(expect)}"


def placed(value: Any, places: Mapping[str, str]) -> Any:
    """`value` with the directories in its texts written as the placeholders that stand for them."""
    if isinstance(value, str):
        for name, directory in places.items():
            value = value.replace(directory, f"{{{name}}}")
        return value
    if isinstance(value, list):
        return [placed(item, places) for item in value]
    if isinstance(value, Mapping):
        return {key: placed(item, places) for key, item in value.items()}
    return value


def scalar(text: str) -> str:
    """A text on one line; in JSON's quotes, which are YAML's too, where it could be read as something else."""
    return text if _PLAIN.fullmatch(text) and text.lower() not in _WORDS else json.dumps(text)


def flow(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{scalar(str(key))}: {flow(item)}' for key, item in value.items())}}}"
    return scalar(value) if isinstance(value, str) else json.dumps(value)
