"""Shell readings as JSON objects: the machine format in which outsiders can check what the reader claims (schema 1)."""

from __future__ import annotations

from typing import Any

from toolaudit.shell import Reading, Shape, Word


def reading_record(reading: Reading) -> dict[str, Any]:
    """What was read, without the text."""
    complexity = reading.complexity
    return {
        "verdict": "exact" if complexity is None else "too-complex",
        "reason": complexity.reason if complexity is not None else None,
        "construct": complexity.construct if complexity is not None else None,
        "at": complexity.span if complexity is not None else None,
        "commands": [
            {
                "argv": [_word(word) for word in command.argv],
                "span": command.span,
                "context": command.context,
            }
            for command in reading.commands
        ],
    }


def _word(word: Word) -> str | dict[str, bool] | None:
    return {"any": True} if word.shape is Shape.MANY else word.value
