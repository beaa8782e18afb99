"""Other guards, timed over the same commands in the same run: each by its own API, in an interpreter that has it.

A peer answers under the policy it ships with; what it decides is its own affair and is not compared here. Its time is
that of its decisions alone, without its start, in turn with ours. `ADAPTERS` takes a peer more with a row.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

from toolaudit.bench.measure import TRIES, Measure, in_turn

_SECONDS: Final = 600.0
"""How long a peer may take for all commands."""

ADAPTERS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "agentbelay": """
            import agentbelay
            guard = agentbelay.Guard.from_pack()
            decide = lambda command: guard.check("Bash", {"command": command})
        """,
        "nah": """
            from nah.bash import classify_command as decide
        """,
        "seatbelt-guard": """
            from seatbelt.context import Context
            from seatbelt.engine import analyze
            context = Context(cwd="/srv/shop")
            decide = lambda command: analyze(command, context)
        """,
        "vetter": """
            from vetter import cli, engine, places
            policy, _ = cli.load_policy(None, "/srv/shop", "/home/user")
            temporary = places.temp_dirs("/home/user", False)
            decide = lambda command: engine.call(
                "check", policy, command, "bash", "/srv/shop", "/home/user", "/srv/shop", temporary
            )
        """,
    }
)
"""Distribution -> the Python that makes a function `decide` of a command. Each has a reader of shell syntax."""

_DRIVER: Final = """
import json, sys, textwrap, time
from importlib.metadata import version
asked = json.load(sys.stdin)
exec(textwrap.dedent(asked["adapter"]))
def once():
    failed = 0
    begun = time.process_time()
    for command in asked["commands"]:
        try:
            decide(command)
        except Exception:
            failed += 1
    return time.process_time() - begun, failed
once()
spent, failed = min(once() for _ in range(asked["tries"]))
print(json.dumps({"seconds": spent, "failed": failed, "version": version(asked["name"])}))
"""


@dataclass(frozen=True, slots=True)
class Peer:
    """A guard of `ADAPTERS`, and an interpreter that can import it."""

    name: str
    python: str

    @classmethod
    def parse(cls, text: str) -> Peer:
        """`NAME=PYTHON`. Raises ValueError for a name without an adapter, and for anything else."""
        name, separator, python = text.partition("=")
        if not (separator and python) or name not in ADAPTERS:
            raise ValueError(f"expected NAME=PYTHON, NAME one of {', '.join(ADAPTERS)}, got {text!r}")
        return cls(name, python)


def beside(peer: Peer, commands: Sequence[str], ours: Callable[[], object]) -> Measure:
    """Our decisions against a peer's: the ratio of the times. Raises OSError where the peer can't be run."""
    best = float("inf")
    told: dict[str, object] = {}
    mine = float("inf")
    for _ in range(2):
        (spent,) = in_turn([ours], tries=TRIES)
        mine = min(mine, spent)
        told = _ask(peer, commands)
        best = min(best, float(str(told["seconds"])))
    failed = f", {told['failed']} failed" if told["failed"] else ""
    return Measure(
        f"Bash decision beside {peer.name} {told['version']}",
        mine / best,
        1,
        f"its decision, {best / len(commands) * 1e6:.0f} us a command{failed}",
        f"{mine / len(commands) * 1e6:.0f} us a command",
    )


def _ask(peer: Peer, commands: Sequence[str]) -> dict[str, object]:
    asked = {"name": peer.name, "adapter": ADAPTERS[peer.name], "commands": list(commands), "tries": 2}
    with tempfile.TemporaryDirectory(prefix="toolaudit-") as home:
        # A home of its own: neither this user's settings for the peer nor the peer's log of these commands are wanted.
        done = subprocess.run(
            [peer.python, "-c", _DRIVER],
            input=json.dumps(asked),
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            env={"HOME": home, "PATH": os.environ.get("PATH", "")},
            cwd=Path(home),
            check=False,
        )
    if done.returncode != 0:
        last = done.stderr.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        raise OSError(f"{peer.name}: {last[0]}")
    found: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return found
