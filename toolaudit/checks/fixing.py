"""Fixes written into the text of a settings file; everything else in it stays as it is, to the blank."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Final

from toolaudit.model import Fix

_STRING: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"')
_BLANK: Final = re.compile(r"\s*")


def fixed(text: str, fixes: Iterable[Fix]) -> str:
    """`text` of one settings file, valid JSON, with each rule named by `fixes` replaced or taken out.

    Of several fixes of one rule the first counts. A fix without a position is left out.
    """
    places: dict[tuple[int, int], Fix] = {}
    for fix in fixes:
        source = fix.rule.source
        if source.line is not None and source.column is not None:
            places.setdefault((source.line, source.column), fix)
    starts = _line_starts(text)
    # From the end to the start, so that the offsets that are still to come stay right.
    for (line, column), fix in sorted(places.items(), reverse=True):
        offset = starts[line - 1] + column - 1
        token = _STRING.match(text, offset)
        if token is None or json.loads(token.group()) != fix.rule.text:
            continue
        if fix.replacement is not None:
            text = text[:offset] + json.dumps(fix.replacement, ensure_ascii=False) + text[token.end() :]
        else:
            text = _without(text, offset, token.end())
    return text


def _without(text: str, start: int, end: int) -> str:
    """`text` without the list item from `start` to `end`, and without the comma that parted it."""
    blank = _BLANK.match(text, end)
    after = blank.end() if blank is not None else end
    if text[after : after + 1] == ",":
        blank = _BLANK.match(text, after + 1)
        return text[:start] + text[blank.end() if blank is not None else after + 1 :]
    before = text[:start].rstrip()
    return before.removesuffix(",") + text[end:]


def _line_starts(text: str) -> list[int]:
    return [0, *(match.end() for match in re.finditer("\n", text))]
