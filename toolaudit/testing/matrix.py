"""A case with a matrix becomes a case for each combination of its values."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any, Final

from toolaudit.testing.schema import Settings

MOST_CASES: Final = 10_000
"""Of one matrix; a file that needs more is a mistake or an attack."""


def unfold(entry: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The raw cases that a raw case stands for; `entry` has passed the schema.

    A name that is one of the settings (`mode`, `cwd`) sets it; any other replaces `{name}` in every text of the case.
    Raises ValueError for too many combinations, and for a name that no text uses.
    """
    matrix: Mapping[str, list[Any]] = entry.get("matrix") or {}
    plain = {key: value for key, value in entry.items() if key != "matrix"}
    if not matrix:
        yield plain
        return
    total = 1
    for values in matrix.values():
        total *= len(values)
    if total > MOST_CASES:
        raise ValueError(f"expected at most {MOST_CASES:,} combinations, got {total:,}")
    everything = str(plain)
    for name in matrix:
        if name not in Settings.model_fields and f"{{{name}}}" not in everything:
            raise ValueError(f"the matrix names {name!r}, and no text of the case has {{{name}}}")
    for combination in itertools.product(*matrix.values()):
        chosen = dict(zip(matrix, combination, strict=True))
        words = {name: value for name, value in chosen.items() if name not in Settings.model_fields}
        settings = {name: value for name, value in chosen.items() if name in Settings.model_fields}
        case = {**fill(plain, {name: _text(value) for name, value in words.items()}), **settings}
        if plain.get("name") and case["name"] == plain["name"]:
            case["name"] += f" ({', '.join(f'{name}={_text(value)}' for name, value in chosen.items())})"
        elif settings and not plain.get("name"):
            case["suffix"] = f" ({', '.join(f'{name}={_text(value)}' for name, value in settings.items())})"
        yield case


def fill(value: Any, words: Mapping[str, str]) -> Any:
    """`value` with `{name}` replaced in every text, keys included. What is put in is not looked through again."""
    if isinstance(value, str):
        return _replace(value, words)
    if isinstance(value, list):
        return [fill(item, words) for item in value]
    if isinstance(value, Mapping):
        return {_replace(key, words): fill(item, words) for key, item in value.items()}
    return value


def _replace(text: str, words: Mapping[str, str]) -> str:
    if "{" not in text:
        return text
    done = []
    for piece in text.split("{")[1:]:
        name, brace, rest = piece.partition("}")
        done.append(words[name] + rest if brace and name in words else "{" + piece)
    return text.split("{", 1)[0] + "".join(done)


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
