"""A long replay in parts: which inputs belong together, and what is kept of each part once it is decided.

A part (shard) is decided by itself, anywhere, and leaves a journal: its events in order. The parts' journals, read one
after another in the order of the inputs, are what one run over all inputs would have given: a call that several parts
hold is counted once, by the same rule as within a part. So it does not matter who decided a part, or when.
"""

from __future__ import annotations

import hashlib
import os
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, get_type_hints

import msgspec

from toolaudit.replay.decider import Decider, Settings
from toolaudit.replay.record import Record
from toolaudit.replay.replay import Event
from toolaudit.structs import Struct, values
from toolaudit.transcripts import FileRead, Problem, RecordedCall
from toolaudit.transcripts.formats import named
from toolaudit.transcripts.inputs import AnyInput
from toolaudit.transcripts.reading import read

SHARD_BYTES: Final = 8 << 20
"""Small files share a shard until they have this many bytes together; a file is never cut."""

_BATCH: Final = 256
"""Events that are written together."""

_KINDS: Final = (Record, FileRead, Problem)
_MAGIC: Final = b"toolaudit journal 1\n"


@dataclass(frozen=True, slots=True)
class Shard:
    """Inputs that are decided together."""

    number: int
    paths: tuple[str, ...]
    size: int
    """Bytes on disk."""
    fingerprint: str
    """Names, sizes and times of the files: a journal counts only for the state it was made from."""

    @property
    def name(self) -> str:
        return self.paths[0] if len(self.paths) == 1 else f"{self.paths[0]} and {len(self.paths) - 1} more"


@dataclass(frozen=True, slots=True)
class Work:
    """Deciding shards: what a worker must know, and nothing that can't be sent to another machine."""

    settings: Settings
    format: str | None
    directory: str
    """Where journals are kept; on a cluster, a directory that all machines share."""
    question: str
    """What is asked of the calls, in any words that change with it: policy files, mode, version."""

    def __call__(self, shard: Shard) -> None:
        """Decides one shard and leaves its journal. Raises OSError when the directory can't be written."""
        decider = Decider(self.settings)
        forced = named(self.format) if self.format is not None else None
        events: Iterator[Event] = (
            decider.record(event) if isinstance(event, RecordedCall) else event
            for event in read(shard.paths, forced=forced)
        )
        write(self.journal(shard), events)

    def journal(self, shard: Shard) -> Path:
        asked = hashlib.sha256(f"{self.question}\0{self.format}\0{shard.fingerprint}".encode()).hexdigest()[:16]
        return Path(self.directory) / f"{shard.number:06d}-{asked}.journal"

    def done(self, shard: Shard) -> bool:
        return self.journal(shard).exists()


def cut(inputs: Iterable[AnyInput]) -> Iterator[Shard]:
    """The inputs as shards, in their order. Standard input has no place in one."""
    paths: list[str] = []
    marks: list[str] = []
    size = number = 0
    for item in inputs:
        paths.append(item.name)
        marks.append(f"{item.name}\0{item.size}\0{item.stamp}")
        size += item.size
        if size >= SHARD_BYTES:
            yield _shard(number, paths, size, marks)
            number += 1
            paths, marks, size = [], [], 0
    if paths:
        yield _shard(number, paths, size, marks)


def _shard(number: int, paths: list[str], size: int, marks: list[str]) -> Shard:
    return Shard(number, tuple(paths), size, hashlib.sha256("\n".join(marks).encode("utf-8", "replace")).hexdigest())


def write(path: Path, events: Iterable[Event]) -> None:
    """A journal of `events`. It is there whole or not at all, also when the machine stops half-way."""
    encode = msgspec.msgpack.Encoder(enc_hook=_plain).encode
    draft = path.with_suffix(f".{os.getpid()}.draft")
    packer = zlib.compressobj(1)
    with draft.open("wb") as out:
        out.write(_MAGIC)
        for batch in _batches(events):
            data = encode([(_KINDS.index(type(event)), event) for event in batch])
            out.write(packer.compress(len(data).to_bytes(4, "big") + data))
        out.write(packer.flush())
    draft.replace(path)


def _batches(events: Iterable[Event]) -> Iterator[list[Event]]:
    batch: list[Event] = []
    for event in events:
        batch.append(event)
        if len(batch) == _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def journal(path: Path) -> Iterator[Event]:
    """The events of a journal. Raises ValueError for a file that is none."""
    decoders = tuple(msgspec.msgpack.Decoder[Any](kind, dec_hook=_made) for kind in _KINDS)
    outer = msgspec.msgpack.Decoder(list[tuple[int, msgspec.Raw]])
    with path.open("rb") as stream:
        if stream.read(len(_MAGIC)) != _MAGIC:
            raise ValueError(f"{path}: expected a journal of a replay; remove the file or name another directory")
        unpacker = zlib.decompressobj()
        held = b""
        while chunk := stream.read(1 << 16):
            held += unpacker.decompress(chunk)
            at = 0
            while len(held) - at >= 4:
                end = at + 4 + int.from_bytes(held[at : at + 4], "big")
                if end > len(held):
                    break
                for kind, raw in outer.decode(held[at + 4 : end]):
                    yield decoders[kind].decode(raw)
                at = end
            held = held[at:]


def _plain(value: object) -> object:
    if isinstance(value, Struct):
        return values(value)
    raise NotImplementedError(f"a journal holds no {type(value).__name__}")


def _made(kind: type[Struct], given: object) -> Struct:
    return kind(*msgspec.convert(given, _types(kind), dec_hook=_made))


@cache
def _types(kind: type[Struct]) -> Any:
    hints = get_type_hints(kind)
    return tuple.__class_getitem__(tuple(hints[name] for name in kind.__match_args__))
