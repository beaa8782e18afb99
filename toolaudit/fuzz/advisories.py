"""Published ways around the client's checks, as rows of corpora/advisories.jsonl, in our own words.

A row: `id`, the `fact` it taught, and where it is about a call the `tool` and `input`, the rules that were there
(`allow`, `deny`), the `links` on disk, and what the call starts or writes in spite of them (`starts`, `writes`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from toolaudit.fuzz import corpus
from toolaudit.fuzz.facts import Argv


@dataclass(frozen=True, slots=True)
class Advisory:
    """One row."""

    id: str
    fact: str
    tool: str | None = None
    """None: it is about something else than a call, such as what runs before the trust question."""
    input: Mapping[str, Any] = field(default_factory=dict, hash=False)
    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    links: Mapping[str, str] = field(default_factory=dict, hash=False)
    starts: Argv = ()
    """The first words of a program that it starts."""
    writes: str | None = None

    @property
    def command(self) -> str | None:
        """The command, where it is about one."""
        return self.input["command"] if self.tool == "Bash" else None


@cache
def advisories() -> tuple[Advisory, ...]:
    """All rows."""
    return tuple(_advisory(json.loads(line)) for line in corpus.read("advisories.jsonl").splitlines())


def _advisory(row: dict[str, Any]) -> Advisory:
    fields: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in row.items()}
    return Advisory(**fields)
