from __future__ import annotations

import re
from typing import Final

from toolaudit.transcripts.redaction import MASKS, Mask

_SECRETS: Final = tuple(mask for mask in MASKS if mask.word != "user")


def secrets(text: str) -> tuple[str, ...]:
    """The kinds of secret that stand in `text`, by the masks that hide them."""
    found = (
        mask for mask in _SECRETS if (match := mask.pattern.search(text)) and _applies(mask.applies, match.group())
    )
    return tuple(dict.fromkeys(mask.word for mask in found))


def _applies(test: object, text: str) -> bool:
    return not callable(test) or bool(test(text))


def masked(text: str) -> str:
    """`text` with every secret in it hidden by the word for its kind; names of homes stay, they are to be found."""
    for mask in _SECRETS:
        text = mask.pattern.sub(lambda found, mask=mask: _hidden(found, mask), text)  # type: ignore[misc]
    return text


def _hidden(found: re.Match[str], mask: Mask) -> str:
    if not _applies(mask.applies, found.group()):
        return found.group()
    return (found.group(1) if found.re.groups else "") + f"[{mask.word}]"
