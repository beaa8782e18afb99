"""Libraries that only some verbs need, and what is said where one is missing."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator


class MissingExtra(Exception):
    """A library of an extra is not installed; the text says how to get it."""


@contextlib.contextmanager
def extra(name: str) -> Iterator[None]:
    """For imports of what the extra `name` brings: raises MissingExtra where one fails."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise MissingExtra(f"this needs {error.name}: pip install 'toolaudit[{name}]'") from error
