"""Models behind Anthropic's Messages API, through its SDK."""

from __future__ import annotations

from typing import Final

import anthropic

from toolaudit.classifier.prompts import Prompt
from toolaudit.classifier.remote.limits import Limits
from toolaudit.classifier.remote.model import NoReply, Reply

DEFAULT_MODEL: Final = "claude-haiku-4-5"


class Messages:
    """The Messages API. The key is the SDK's business: it reads ANTHROPIC_API_KEY."""

    def __init__(self, model: str, limits: Limits) -> None:
        """Raises anthropic.AnthropicError where there is no key."""
        self._model = model or DEFAULT_MODEL
        self._client = anthropic.Anthropic(
            base_url=limits.url or None, timeout=limits.timeout, max_retries=limits.retries
        )

    @property
    def name(self) -> str:
        return f"anthropic:{self._model}"

    def ask(self, prompt: Prompt, tokens: int) -> Reply:
        try:
            message = self._client.messages.create(
                model=self._model,
                max_tokens=tokens,
                system=prompt.system,
                messages=[{"role": "user", "content": prompt.user}],
            )
        except anthropic.APIStatusError as error:
            raise NoReply(f"the server answered {error.status_code}") from None
        except anthropic.APITimeoutError:
            raise NoReply("the request timed out") from None
        except anthropic.APIError as error:
            raise NoReply(f"the request failed: {type(error).__name__}") from None
        if not isinstance(message, anthropic.types.Message) or not isinstance(message.content, list):
            raise NoReply("the server's answer is no message")
        if message.stop_reason not in ("end_turn", "stop_sequence"):
            raise NoReply(f"the model stopped: {message.stop_reason}")
        texts = [block.text for block in message.content if block.type == "text"]
        if len(texts) != 1 or not isinstance(texts[0], str):
            raise NoReply("the model's answer is no single text")
        return Reply(texts[0], message.usage.input_tokens, message.usage.output_tokens)
