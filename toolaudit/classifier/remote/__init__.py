"""Classifiers that ask a model: Anthropic's over its SDK, any OpenAI-compatible one over the other.

Whatever goes wrong on the way ends in no verdict, which is never an allow.
"""

from __future__ import annotations

from toolaudit.classifier.remote.limits import Limits
from toolaudit.classifier.remote.model import Endpoint, Model
from toolaudit.classifier.stages import TwoStages


def build(kind: str, model: str, limits: Limits | None = None) -> TwoStages:
    """The classifier of `kind`: `anthropic` or `openai`.

    Raises ImportError where the extra of that name is missing, ValueError where the SDK finds no key.
    """
    limits = limits or Limits()
    endpoint: Endpoint
    if kind == "anthropic":
        import anthropic

        from toolaudit.classifier.remote.anthropic import Messages

        try:
            endpoint = Messages(model, limits)
        except anthropic.AnthropicError as error:
            raise ValueError(str(error)) from None
    else:
        import openai

        from toolaudit.classifier.remote.openai import Completions

        try:
            endpoint = Completions(model, limits)
        except openai.OpenAIError as error:
            raise ValueError(str(error)) from None
    return TwoStages(Model(endpoint, limits))
