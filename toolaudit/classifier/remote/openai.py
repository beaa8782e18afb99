"""Models behind an OpenAI-compatible endpoint, such as one that serves a local model, through the `openai` SDK."""

from __future__ import annotations

import os

import openai

from toolaudit.classifier.prompts import Prompt
from toolaudit.classifier.remote.limits import Limits
from toolaudit.classifier.remote.model import NoReply, Reply


class Completions:
    """The chat completions API. The key is the SDK's business: OPENAI_API_KEY; local servers need none."""

    def __init__(self, model: str, limits: Limits) -> None:
        self._model = model
        # The SDK insists on some key, and a server of one's own on none.
        key = None if os.environ.get("OPENAI_API_KEY") else "none"
        self._client = openai.OpenAI(
            api_key=key, base_url=limits.url or None, timeout=limits.timeout, max_retries=limits.retries
        )

    @property
    def name(self) -> str:
        return f"openai:{self._model}"

    def ask(self, prompt: Prompt, tokens: int) -> Reply:
        try:
            completion = self._client.chat.completions.create(
                model=self._model,
                max_tokens=tokens,
                temperature=0,
                messages=[{"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.user}],
            )
        except openai.APIStatusError as error:
            raise NoReply(f"the server answered {error.status_code}") from None
        except openai.APITimeoutError:
            raise NoReply("the request timed out") from None
        except openai.APIError as error:
            raise NoReply(f"the request failed: {type(error).__name__}") from None
        choices = getattr(completion, "choices", None)
        if not isinstance(choices, list) or len(choices) != 1:
            raise NoReply("the server's answer is no completion")
        choice = choices[0]
        if choice.finish_reason != "stop" or choice.message.refusal:
            raise NoReply(f"the model stopped: {'refusal' if choice.message.refusal else choice.finish_reason}")
        if not isinstance(choice.message.content, str):
            raise NoReply("the model's answer is no text")
        usage = completion.usage
        return Reply(
            choice.message.content,
            usage.prompt_tokens if usage is not None else 0,
            usage.completion_tokens if usage is not None else 0,
        )
