"""Messages of a conversation as the pipeline makes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["user", "assistant", "attachment", "system"]


@dataclass(frozen=True, slots=True)
class Message:
    """One message; `system` ones are read by the model in its next turn and then left out of what is sent."""

    kind: Kind
    content: str | Sequence[Mapping[str, Any]]
    """Text, or content blocks of the Messages API."""
    origin: str = ""
    """What made it, such as a hook's event or a sub-agent's id."""
