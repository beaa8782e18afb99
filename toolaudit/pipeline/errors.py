"""Step 14: what went wrong, named so that telemetry may carry it, and reported.

A message may hold paths, commands and secrets, so no part of one is ever used: a failure is known by the code its
author gave it, by its error number, or by the name of an exception class that the language or this project defines.
"""

from __future__ import annotations

import errno
import re
import sys
from typing import Final

from toolaudit.model import Behavior
from toolaudit.patterns import late
from toolaudit.pipeline.state import State

_CODE: Final = late(r"[a-z][a-z0-9_]{0,63}", re.ASCII)
_STABLE: Final = frozenset({"toolaudit", "pydantic", "pydantic_core"})
"""Packages beside the standard library whose exceptions keep their names."""

_CLASSES: Final = {
    "lookup": "tool_not_found",
    "abort": "aborted",
    "schema": "input_malformed",
    "meaning": "input_misfit",
    "pre_hooks": "stopped_by_hook",
    "denial": "permission_denied",
}
"""Step that ended a call -> the class of what it ended with."""


def run(state: State) -> str:
    state.error_class = _error_class(state)
    state.world.report(state)
    return "nothing went wrong" if state.error_class is None else f"classified as {state.error_class}"


def _error_class(state: State) -> str | None:
    if state.failure is not None:
        return classify_tool_error(state.failure)
    if state.end is None or state.end.behavior is Behavior.ALLOW:
        return None
    if state.ended_by == "denial" and state.end.reason_type is not None:
        return f"permission_denied_{state.end.reason_type.name.lower()}"
    return _CLASSES.get(state.ended_by or "", "not_executed")


def classify_tool_error(error: BaseException) -> str:
    """The most telling name of `error` that is safe to record; never any part of its message."""
    code = getattr(error, "code", None)
    if type(error).__module__.partition(".")[0] == "toolaudit" and isinstance(code, str) and _CODE.fullmatch(code):
        return code
    if isinstance(error, OSError) and (name := errno.errorcode.get(error.errno or 0)) is not None:
        return name
    return next(kind.__name__ for kind in type(error).__mro__ if _is_stable(kind))


def _is_stable(kind: type) -> bool:
    package = kind.__module__.partition(".")[0]
    return package == "builtins" or package in _STABLE or package in sys.stdlib_module_names
