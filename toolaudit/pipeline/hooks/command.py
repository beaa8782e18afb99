"""A command hook, run in the sandbox that commands of tools run in: no network, no process that outlives it."""

from __future__ import annotations

import os
import selectors
import tempfile
import time
from collections.abc import Mapping, Sequence
from typing import Final

from toolaudit.model import Hook
from toolaudit.pipeline.hooks.ran import OUTPUT_BYTES_MAX, SECONDS, Ran
from toolaudit.tools.effects import commands
from toolaudit.tools.effects.commands import Process, Runner
from toolaudit.tools.interface import ToolError

_CHUNK: Final = 1 << 16
_LATE_SECONDS: Final = 0.2
"""For which output is still read after the command itself has ended."""


def run(
    hook: Hook,
    payload: bytes,
    runner: Runner,
    cwd: str,
    *,
    writable: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
) -> Ran:
    """Runs the hook with `payload` on its standard input, to its end or to the end of its time."""
    argv = [hook.command, *hook.arguments] if hook.arguments else ["bash", "-c", hook.command]
    seconds = hook.seconds if hook.seconds is not None else SECONDS
    with tempfile.TemporaryFile() as given, tempfile.TemporaryDirectory(prefix="toolaudit-hook-") as scratch:
        given.write(payload)
        given.seek(0)
        readers, writers = zip(os.pipe(), os.pipe(), strict=True)
        try:
            process = commands.start(
                runner,
                argv,
                cwd,
                writers[0],
                scratch=scratch,
                writable=writable,
                environment=environment or {},
                given=given.fileno(),
                errors=writers[1],
            )
        except ToolError as error:
            _close(*readers, *writers)
            return Ran(failure=str(error))
        _close(*writers)
        try:
            return _collect(process, readers, seconds)
        finally:
            process.kill()
            _close(*readers)


def _collect(process: Process, readers: Sequence[int], seconds: float) -> Ran:
    deadline = time.monotonic() + seconds
    texts = {reader: bytearray() for reader in readers}
    with selectors.DefaultSelector() as selector:
        for reader in readers:
            selector.register(reader, selectors.EVENT_READ)
        while selector.get_map():
            left = deadline - time.monotonic()
            if left <= 0:
                break
            ended = process.poll() is not None
            if not ended and (too_much := process.excess()) is not None:
                return Ran(failure=too_much)
            ready = selector.select(_LATE_SECONDS if ended else min(left, _LATE_SECONDS))
            if ended and not ready:
                break
            for key, _ in ready:
                data = os.read(key.fd, _CHUNK)
                texts[key.fd] += data
                if not data:
                    selector.unregister(key.fd)
            if sum(map(len, texts.values())) > OUTPUT_BYTES_MAX:
                return Ran(failure=f"it printed more than {OUTPUT_BYTES_MAX:,} bytes")
    while (code := process.wait(_LATE_SECONDS)) is None:
        if (too_much := process.excess()) is not None:
            return Ran(failure=too_much)
        if time.monotonic() > deadline:
            return Ran(failure=f"it took longer than {seconds:g} seconds")
    output, errors = (texts[reader].decode("utf-8", "replace") for reader in readers)
    return Ran(code, output, errors)


def _close(*descriptors: int) -> None:
    for descriptor in descriptors:
        os.close(descriptor)
