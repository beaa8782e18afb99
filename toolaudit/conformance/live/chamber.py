"""The process that a batch of calls is asked in: a request on the standard input, a transcript on the standard output.

    python -P -m toolaudit.conformance.live.chamber

It isolates itself before it does anything else, and refuses where it can't.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
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


def ask(client: Path, world: World, calls: Sequence[Call], seconds: float) -> Transcript:
    """Has `client` decide `calls` in `world`, in a chamber of its own.

    Raises ClientUnavailable where there can be no chamber. Whatever else goes wrong is the transcript's complaint.
    """
    request = {"client": str(client), "world": world.key, "calls": calls, "seconds": seconds}
    # What toolaudit itself needs to start, and what tells which directories to hide; the client gets none of it.
    environment = {"PYTHONPATH": os.pathsep.join(sys.path), "PATH": os.environ.get("PATH", os.defpath)}
    environment |= {"HOME": os.environ["HOME"]} if "HOME" in os.environ else {}
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", __name__],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,  # Ctrl-C is for the caller, which ends the chamber
    )
    try:
        output, errors = process.communicate(json.dumps(request).encode())
    finally:
        process.kill()
        process.wait()
    try:
        reply = json.loads(output)
    except ValueError:
        return Transcript([], None, errors.decode(errors="replace")[-COMPLAINT_CHARS_MAX:].strip() or "it ended early")
    if "unavailable" in reply:
        raise ClientUnavailable(*reply["unavailable"])
    return Transcript([Answer(**answer) for answer in reply["answers"]], reply["version"], reply["complaint"])


def main() -> None:
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


if __name__ == "__main__":
    main()
