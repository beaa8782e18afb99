"""What came back from a hook, and what it says: every way in which a hook can fail has a name."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from toolaudit.model import Behavior, Hook
from toolaudit.permissions import hook_words
from toolaudit.permissions.hook_words import Said
from toolaudit.structs import Struct

OUTPUT_BYTES_MAX: Final = 1 << 20
"""What a hook may print; one that prints more is ended, and says nothing."""

SECONDS: Final = 60.0
"""How long a hook may take unless it is configured otherwise; the documents give no number."""

_QUOTED_CHARS: Final = 2000


class Ran(Struct):
    """A hook's end."""

    exit_code: int = 0
    output: str = ""
    errors: str = ""
    failure: str = ""
    """Why there is no end to speak of, such as `it took longer than 5 seconds`."""


def words(hook: Hook, ran: Ran) -> Said:
    """What `hook` said by the way it ended. One that failed says nothing, and blocks only where it is told to."""
    if ran.failure:
        return _failed(hook, ran.failure)
    output = _object(ran.output)
    if ran.exit_code == 2:
        return hook_words.read(hook.event, 2, {}, ran.errors.strip()[:_QUOTED_CHARS])
    if ran.exit_code and not output:
        return _failed(hook, f"it exited with code {ran.exit_code} and said nothing")
    if output is None:
        return Said(note=f"a {hook.event} hook printed what is no JSON object")
    return hook_words.read(hook.event, ran.exit_code, output)


def _failed(hook: Hook, why: str) -> Said:
    said = f"a {hook.event} hook failed: {why}"
    if hook.blocks_on_failure and hook.event == "PreToolUse":
        return Said(Behavior.DENY, said, note=said)
    return Said(note=said)


def _object(text: str) -> Mapping[str, Any] | None:
    """The JSON object in `text`; nothing at all is an empty one."""
    if not text.strip():
        return {}
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
