"""What of a conversation is sent to the model."""

from __future__ import annotations

from toolaudit.tools.messages import Message, sent


def test_a_system_message_is_read_once() -> None:
    user, reminder = Message("user", "do it"), Message("system", "mind the time")
    answer, result = Message("assistant", "done"), Message("attachment", "noted")
    assert sent((user, reminder)) == (user, reminder)
    assert sent((user, reminder, answer, result)) == (user, answer, result)
    assert sent((user, answer, reminder)) == (user, answer, reminder)
    assert sent(()) == ()
