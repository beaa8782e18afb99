"""Recordings: a decision record a line, as the client gave it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Record:
    """What the client decided about one case, with its version."""

    id: str
    decision: str
    reason_type: str | None
    reason: str | None
    client: str | None

    def line(self) -> str:
        """The record as a line of a recording."""
        return json.dumps(asdict(self)) + "\n"


def read_records(path: Path) -> dict[str, Record]:
    """The records of a recording by case id; a later line for an id replaces an earlier one.

    Raises ValueError with file and line where a line is no record, OSError where the file can't be read.
    """
    with path.open(encoding="utf-8") as lines:
        return {record.id: record for record in _records(lines, path)}


def _records(lines: Iterable[str], path: Path) -> Iterator[Record]:
    for number, text in enumerate(lines, start=1):
        if not text.strip():
            continue
        try:
            fields = json.loads(text)
            if not isinstance(fields["id"], str) or not isinstance(fields["decision"], str):
                raise TypeError("id or decision is no text")
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise ValueError(f"{path}:{number}: expected a record with id and decision, got: {error}") from None
        yield Record(
            fields["id"], fields["decision"], fields.get("reason_type"), fields.get("reason"), fields.get("client")
        )


class Recording:
    """A recording that grows batch by batch, and what was in it before stays; without a path, it is in memory only.

    Raises ValueError where the file is there and is no recording, OSError where it can't be written.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self.records = read_records(path) if path and path.exists() else {}
        if path:
            path.touch()

    def expect(self, client: str) -> None:
        """Raises ValueError where the recording holds decisions of another version than `client`."""
        others = sorted({record.client or "an unknown version" for record in self.records.values()} - {client})
        if others:
            raise ValueError(
                f"{self._path}: expected decisions of {client}, got some of {', '.join(others)}: name another file"
            )

    def add(self, records: Iterable[Record]) -> None:
        """Puts records at the end of the file at once, so that an interruption costs none of them."""
        fresh = list(records)
        self.records |= {record.id: record for record in fresh}
        if self._path:
            with self._path.open("a", encoding="utf-8") as out:
                out.writelines(record.line() for record in fresh)

    def sort(self, order: Iterable[str]) -> None:
        """Puts the records of `order` in that order, behind those of other cases; wholly or not at all."""
        if not self._path:
            return
        places = {name: place for place, name in enumerate(order)}
        ordered = sorted(self.records.values(), key=lambda record: places.get(record.id, -1))
        fresh = self._path.with_name(self._path.name + ".new")
        with fresh.open("w", encoding="utf-8") as out:
            out.writelines(record.line() for record in ordered)
        fresh.replace(self._path)
