"""Commands that begin with a long sleep, which the client refuses where something else could wait (measured)."""

from __future__ import annotations

from typing import Final

from toolaudit.patterns import late

LIMIT_SECONDS: Final = 25
"""From here on a sleep is long."""

_SLEEP: Final = late(r"\s*sleep\s+(\d{1,9}(?:\.\d{1,9})?)(?=\s*(?:\Z|[;&|\n]|\d?>)|\s#)(?!\s*(?:&&|\|\|?)\s*\Z)")
_ANY: Final = late(r"\s*sleep\s")


def long_sleep(command: str) -> tuple[str, str] | None:
    """The seconds of the long sleep that a command begins with, and what follows it; None: it begins with none."""
    found = _SLEEP.match(command)
    if found is None or float(found[1]) < LIMIT_SECONDS:
        return None
    return found[1], command[found.end(1) :].strip(" ;&|\n")


def begins_with_sleep(command: str) -> bool:
    """Whether a command begins by doing nothing. On time-out it is stopped, not moved to the background (measured)."""
    return _ANY.match(command) is not None
