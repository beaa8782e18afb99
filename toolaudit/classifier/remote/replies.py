"""A model's words, read strictly: what is not a verdict from the first character to the last is none.

A model that refuses, quotes, explains or adds to its answer gives no verdict. In particular no search for "allow" is
ever made in a text: a refusal may quote it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from toolaudit.classifier.categories import CATEGORIES
from toolaudit.classifier.stages import Opinion
from toolaudit.model.verdict import Answer
from toolaudit.patterns import late

_FENCED = late(r"```(?:json)?\s*\n(.*)\n```", 16)
_KEYS: Final = frozenset({"verdict", "category", "reason"})
MOST: Final = 20_000
"""Characters of a reply that are read."""


def first(text: str) -> Opinion:
    """Stage 1: only a plain `no` lets a call pass; whatever else is said flags it."""
    if text.strip().rstrip(".").lower() == "no":
        return Opinion(Answer.ALLOW, reason="no rule names it")
    return Opinion(Answer.BLOCK, reason="it must be looked at")


def second(text: str) -> Opinion:
    """Stage 2: one JSON object with the verdict, or no verdict."""
    stripped = text.strip()
    fenced = _FENCED.fullmatch(stripped) if len(stripped) <= MOST else None
    value = _object(fenced[1] if fenced is not None else stripped)
    if value is None or value.get("verdict") not in ("allow", "block"):
        return Opinion(Answer.UNAVAILABLE, reason="the model's reply is no verdict")
    if not _KEYS <= value.keys() <= _KEYS | {"analysis"} or not all(isinstance(one, str) for one in value.values()):
        return Opinion(Answer.UNAVAILABLE, reason="the model's reply has other fields than a verdict")
    category = value["category"] if value["category"] in CATEGORIES else ""
    return Opinion(Answer(value["verdict"]), category, value["reason"].strip())


def _object(text: str) -> dict[str, Any] | None:
    if len(text) > MOST:
        return None
    try:
        value = json.loads(text, object_pairs_hook=_pairs)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _pairs(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """The object; one that says a thing twice says nothing."""
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a key stands twice")
    return value
