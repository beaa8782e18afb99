"""Messages of a conversation as the pipeline makes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from toolaudit.structs import Struct

Kind = Literal["user", "assistant", "attachment", "system", "classifier"]


class Message(Struct):
    """One message.

    The model reads `system` ones in its next turn, and they are then left out of what is sent; it never reads those for
    the `classifier`.
    """

    kind: Kind
    content: str | Sequence[Mapping[str, Any]]
    """Text, or content blocks of the Messages API."""
    origin: str = ""
    """What made it, such as a hook's event or a sub-agent's id."""


def sent(messages: Sequence[Message]) -> tuple[Message, ...]:
    """What goes to the model: not what is for the classifier, nor system messages it read before its last answer."""
    answers = [number for number, message in enumerate(messages) if message.kind == "assistant"]
    read = answers[-1] if answers else 0
    return tuple(
        message
        for number, message in enumerate(messages)
        if message.kind != "classifier" and (message.kind != "system" or number >= read)
    )
