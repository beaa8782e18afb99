"""A conversation as the classifier sees it: what the user wrote, and which tools were called.

The assistant's own words and the results of tools are left out, so that neither can argue for a call (documents,
9.5.2). What a client adds to the user's turns by itself, its reminders and the echo of commands, is nobody's word.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from toolaudit.classifier.inquiry import Conversation
from toolaudit.model import ToolCall
from toolaudit.patterns import late
from toolaudit.tools.messages import Message

_ADDED = late(
    r"<(system-reminder|local-command-stdout|local-command-caveat|command-(?:name|message|args|contents)|"
    r"persisted-output|task-notification)>.*?</\1>",
    16,
)


def project(messages: Iterable[Message]) -> Conversation:
    """The classifier's view of `messages`."""
    conversation = Conversation()
    for message in messages:
        if message.kind == "user":
            for text in _texts(message.content):
                conversation.said(text)
        elif message.kind == "classifier" and isinstance(message.content, str):
            conversation.told(message.content)
        elif message.kind == "assistant" and not isinstance(message.content, str):
            for block in message.content:
                if block.get("type") == "tool_use" and isinstance(block.get("input"), Mapping):
                    conversation.did(ToolCall(str(block.get("name", "")), block["input"]))
    return conversation


def own_words(text: str) -> str:
    """What of a user's turn the user wrote."""
    return _ADDED.sub("", text).strip()


def _texts(content: str | Sequence[Mapping[str, Any]]) -> Iterator[str]:
    texts = [content] if isinstance(content, str) else [one.get("text") for one in content if one.get("type") == "text"]
    for text in texts:
        if isinstance(text, str) and (words := own_words(text)):
            yield words
