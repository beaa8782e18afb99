"""The process that a batch of calls is asked in: a request on the standard input, a transcript on the standard output.

    python -P -m toolaudit.conformance.live

It isolates itself before it does anything else, and refuses where it can't.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from toolaudit.conformance.live import isolation, session
from toolaudit.conformance.live.model import Call
from toolaudit.conformance.live.requirement import ClientUnavailable
from toolaudit.conformance.live.session import Answer, Transcript
from toolaudit.conformance.live.world import World

COMPLAINT_CHARS_MAX = 500


class ChambersClosed(RuntimeError):
    """Nothing is asked any more."""


class Chambers:
    """Makes chambers for one client, and ends those that are in use when it is closed, from whichever thread."""

    def __init__(self, client: Path, seconds: float) -> None:
        self.client = client
        self.seconds = seconds
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._is_closed = False

    def __enter__(self) -> Chambers:
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._is_closed = True
            for process in self._running:
                process.kill()

    def ask(self, world: World, calls: Sequence[Call]) -> Transcript:
        """Has the client decide `calls` in `world`, in a chamber of its own.

        Raises ClientUnavailable where there can be no chamber, ChambersClosed where it was ended from outside. Whatever
        else goes wrong is the transcript's complaint.
        """
        request = {"client": str(self.client), "world": world.key, "calls": calls, "seconds": self.seconds}
        process = self._start()
        try:
            output, errors = process.communicate(json.dumps(request).encode())
        finally:
            process.kill()
            process.wait()
            with self._lock:
                self._running.discard(process)
        if self._is_closed:
            raise ChambersClosed
        try:
            reply = json.loads(output)
        except ValueError:
            text = errors.decode(errors="replace")[-COMPLAINT_CHARS_MAX:].strip()
            return Transcript([], None, text or "the chamber ended early")
        if "unavailable" in reply:
            raise ClientUnavailable(*reply["unavailable"])
        return Transcript([Answer(**answer) for answer in reply["answers"]], reply["version"], reply["complaint"])

    def _start(self) -> subprocess.Popen[bytes]:
        # What toolaudit itself needs to start, and what tells which directories to hide; the client gets none of it.
        environment = {
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            "PATH": os.environ.get("PATH", os.defpath),
        }
        environment |= {"HOME": os.environ["HOME"]} if "HOME" in os.environ else {}
        with self._lock:
            if self._is_closed:
                raise ChambersClosed
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", __package__],
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C is for the caller, who then closes
            )
            self._running.add(process)
        return process


def main() -> None:
    """Serves one request, and ends with the process that asked."""
    isolation.end_with_parent()
    request = json.load(sys.stdin)
    client = Path(request["client"])
    try:
        isolation.enter(client)
        isolation.self_test()
        reply = asdict(_transcript(client, request))
    except ClientUnavailable as missing:
        reply = {"unavailable": [missing.what, missing.remedy]}
    json.dump(reply, sys.stdout)
    sys.stdout.flush()


def _transcript(client: Path, request: dict[str, Any]) -> Transcript:
    try:
        return session.hold(client, World.from_key(request["world"]), request["calls"], request["seconds"])
    except (OSError, ValueError, LookupError, subprocess.CalledProcessError) as error:
        return Transcript([], None, f"{type(error).__name__}: {error}")
