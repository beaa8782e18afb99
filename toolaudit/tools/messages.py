"""Messages of a conversation as the pipeline makes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from toolaudit.structs import Struct

Kind = Literal["user", "assistant", "attachment", "system"]


class Message(Struct):
    """One message; `system` ones are read by the model in its next turn and then left out of what is sent."""

    kind: Kind
    content: str | Sequence[Mapping[str, Any]]
    """Text, or content blocks of the Messages API."""
    origin: str = ""
    """What made it, such as a hook's event or a sub-agent's id."""


def sent(messages: Sequence[Message]) -> tuple[Message, ...]:
    """What goes to the model: everything but the system messages that it read before its last answer."""
    answers = [number for number, message in enumerate(messages) if message.kind == "assistant"]
    read = answers[-1] if answers else 0
    return tuple(message for number, message in enumerate(messages) if message.kind != "system" or number >= read)
