"""The two stages of a model, whoever serves it: prompts out, replies in, within limits."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from toolaudit.classifier import prompts
from toolaudit.classifier.prompts import Prompt
from toolaudit.classifier.question import Question
from toolaudit.classifier.remote import replies
from toolaudit.classifier.remote.limits import Limits
from toolaudit.classifier.stages import Opinion
from toolaudit.model.verdict import NO_USAGE, Answer, Usage
from toolaudit.structs import replace

FIRST_TOKENS: Final = 8
SECOND_TOKENS: Final = 1024
"""The most tokens of an answer, by stage."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said."""

    text: str
    input_tokens: int
    output_tokens: int


class NoReply(Exception):
    """There is no reply to read: an error, a refusal, an answer cut short. Says which, in a few words."""


class Endpoint(Protocol):
    """A place that serves a model."""

    @property
    def name(self) -> str: ...

    def ask(self, prompt: Prompt, tokens: int) -> Reply:
        """The reply, of at most so many tokens. Raises NoReply."""


class Model:
    """A model as the two stages of a classifier. Safe to use from several threads."""

    def __init__(self, endpoint: Endpoint, limits: Limits) -> None:
        self._endpoint = endpoint
        self._limits = limits
        self._slots = threading.BoundedSemaphore(limits.jobs)
        self._lock = threading.Lock()
        self._requests = 0
        self._spent = NO_USAGE

    @property
    def name(self) -> str:
        return self._endpoint.name

    @property
    def spent(self) -> Usage:
        """What all requests so far cost."""
        return self._spent

    def first(self, question: Question) -> Opinion:
        return self._opinion(prompts.first(question), FIRST_TOKENS, replies.first)

    def second(self, question: Question, flagged: Opinion) -> Opinion:
        return self._opinion(prompts.second(question), SECOND_TOKENS, replies.second)

    def _opinion(self, prompt: Prompt, tokens: int, read: Callable[[str], Opinion]) -> Opinion:
        try:
            reply = self._ask(prompt, tokens)
        except NoReply as error:
            return Opinion(Answer.UNAVAILABLE, reason=str(error), input=prompt.text)
        usage = self._usage(reply)
        with self._lock:
            self._spent += usage
        return replace(read(reply.text), usage=usage, input=prompt.text)

    def _usage(self, reply: Reply) -> Usage:
        cost = self._limits.cost(reply.input_tokens, reply.output_tokens)
        return Usage(reply.input_tokens, reply.output_tokens, cost)

    def _ask(self, prompt: Prompt, tokens: int) -> Reply:
        """The reply within the time limit, however slowly the endpoint lets it trickle in."""
        if not self._slots.acquire(timeout=self._limits.timeout):
            raise NoReply("no slot for a request became free in time")
        try:
            self._admit()
        except NoReply:
            self._slots.release()
            raise
        request = _Request(self._endpoint, prompt, tokens, self._slots)
        request.start()
        if not request.done.wait(self._limits.timeout):
            raise NoReply(f"no reply within {self._limits.timeout:g} seconds")
        if request.reply is None:
            raise NoReply(request.failure)
        return request.reply

    def _admit(self) -> None:
        limits, spent = self._limits, self._spent
        with self._lock:
            if limits.requests and self._requests >= limits.requests:
                raise NoReply(f"the limit of {limits.requests} requests is reached")
            if limits.tokens and spent.input_tokens + spent.output_tokens >= limits.tokens:
                raise NoReply(f"the limit of {limits.tokens} tokens is reached")
            if limits.dollars and spent.dollars >= limits.dollars:
                raise NoReply(f"the limit of {limits.dollars:g} dollars is reached")
            self._requests += 1


class _Request(threading.Thread):
    """One request in a thread of its own, so that one that hangs can be left behind."""

    def __init__(self, endpoint: Endpoint, prompt: Prompt, tokens: int, slots: threading.BoundedSemaphore) -> None:
        super().__init__(daemon=True, name="classifier request")
        self._endpoint = endpoint
        self._prompt = prompt
        self._tokens = tokens
        self._slots = slots
        self.done = threading.Event()
        self.reply: Reply | None = None
        self.failure = "the request failed"

    def run(self) -> None:
        try:
            self.reply = self._endpoint.ask(self._prompt, self._tokens)
        except NoReply as error:
            self.failure = str(error)
        except Exception as error:
            # Whatever an SDK raises besides its own errors: there is no reply, and the reason names it.
            self.failure = f"the request failed: {type(error).__name__}"
        finally:
            self._slots.release()
            self.done.set()
