from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import Final


@dataclass(frozen=True, slots=True)
class Limits:
    """Where a model is, and what asking it may take. Beyond a limit there is no verdict, and so no allow."""

    url: str = ""
    """The endpoint's base URL; empty: the SDK's own, or what its environment variable says."""
    timeout: float = 20.0
    """Seconds for one request, retries and slow answers included."""
    retries: int = 2
    """Further attempts after a rate limit, a server's error or a lost connection."""
    jobs: int = 4
    """Requests under way at once."""
    requests: int = 0
    """Requests in all; 0: no limit."""
    tokens: int = 0
    """Tokens in all, in and out; 0: no limit."""
    dollars: float = 0.0
    """Cost in all, by the two prices; 0: no limit."""
    price_in: float = 0.0
    """Dollars for a million tokens of a prompt."""
    price_out: float = 0.0
    """Dollars for a million tokens of an answer."""

    def cost(self, input_tokens: int, output_tokens: int) -> float:
        """Dollars for so many tokens."""
        return (input_tokens * self.price_in + output_tokens * self.price_out) / 1_000_000


NAMES: Final = tuple(field.name for field in fields(Limits))
_KINDS: Final = {field.name: type(getattr(Limits(), field.name)) for field in fields(Limits)}


def parse(options: Iterable[str]) -> Limits:
    """The limits that `NAME=VALUE` texts set. Raises ValueError for a text that is none."""
    limits = Limits()
    for text in options:
        name, equals, value = text.partition("=")
        if not equals or name not in _KINDS:
            raise ValueError(f"expected NAME=VALUE with one of {', '.join(NAMES)}, got {text!r}")
        try:
            number = _KINDS[name](value)
        except ValueError:
            raise ValueError(f"expected a number for {name}, got {value!r}") from None
        if not isinstance(number, str) and (not number >= 0 or number == float("inf")):
            raise ValueError(f"expected a number from 0 up for {name}, got {value!r}")
        limits = replace(limits, **{name: number})
    if limits.dollars and not (limits.price_in or limits.price_out):
        raise ValueError("a limit in dollars needs price_in and price_out")
    if not limits.timeout or not limits.jobs:
        raise ValueError("timeout and jobs must be more than 0")
    return limits
