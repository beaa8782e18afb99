"""Recordings made up to measure with: as many bytes of Claude Code sessions as are asked for, the same each time.

Commands, paths and results are put together from small tables by a seeded generator, in the proportions of recorded
sessions: half of the calls are shell commands, and most of the bytes are results.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

_PROGRAMS: Final = (
    "git status --short",
    "git log --oneline -{n} -- src/{word}.py",
    "git diff HEAD~{n} -- {word}",
    "git commit -m '{word} {n}'",
    "ls -la {word}/{word2}",
    "cat {word}/{word2}.txt | head -{n}",
    "grep -rn '{word}' src --include='*.py' | sort | uniq -c | tail -{n}",
    "find . -name '{word}*.py' -newer {word2}.txt",
    "npm run {word} -- --grep {word2}",
    "npm test -- {word}",
    "python -m pytest tests/test_{word}.py -k {word2} -x 2>&1 | tail -{n}",
    "cd {word} && make {word2} > /tmp/{word}.log 2>&1; echo $?",
    'for f in {word}/*.txt; do wc -l "$f"; done',
    "sed -n '{n},{m}p' src/{word}.py",
    "curl -sS https://{word}.example/{word2}?n={n}",
    "docker compose exec {word} sh -c 'echo {word2}'",
    "rm -rf build/{word}{n}",
    "test -f {word}.lock || mkdir -p {word2} && touch {word2}/{n}",
)
WORDS: Final = """
account address basket billing cache cart catalog checkout client config coupon currency delivery discount email event
export feature gateway history import invoice item label ledger mailer market menu notice order packing parcel partner
payment picker price product profile quote rating receipt refund report review salary search seller session shipping
stock supplier tax ticket token tracking user vendor voucher warehouse
""".split()
"""Nouns that commands, paths and rules are made of."""
_TOOLS: Final = ("Bash", "Bash", "Bash", "Bash", "Read", "Read", "Edit", "Grep")


def commands(seed: int = 1) -> Iterator[str]:
    """Shell commands without end, most of them different."""
    chance = random.Random(seed)
    while True:
        n = chance.randrange(1, 400)
        yield chance.choice(_PROGRAMS).format(
            word=chance.choice(WORDS), word2=chance.choice(WORDS), n=n, m=n + chance.randrange(1, 60)
        )


def distinct_commands(count: int, seed: int = 1) -> list[str]:
    found: dict[str, None] = {}
    for command in commands(seed):
        found.setdefault(command)
        if len(found) == count:
            break
    return list(found)


def write(directory: Path, size: int, *, seed: int = 1, file_size: int = 16 << 20) -> list[Path]:
    """Writes about `size` bytes of sessions, in files of about `file_size`, below `directory`."""
    directory.mkdir(parents=True, exist_ok=True)
    paths: list[Path] = []
    written = 0
    while written < size:
        path = directory / f"session-{len(paths):05d}.jsonl"
        written += _session(path, min(file_size, size - written), seed * 1_000_003 + len(paths))
        paths.append(path)
    return paths


def _session(path: Path, size: int, seed: int) -> int:
    chance = random.Random(seed)
    source = commands(seed)
    session = f"{seed:032x}"
    written = number = 0
    with path.open("wb") as out:
        while written < size:
            number += 1
            for line in _exchange(chance, source, f"toolu_{seed:012x}{number:012x}", session, number):
                data = json.dumps(line, separators=(",", ":")).encode() + b"\n"
                written += out.write(data)
    return written


def _exchange(
    chance: random.Random, source: Iterator[str], id: str, session: str, number: int
) -> Iterator[dict[str, Any]]:
    tool = chance.choice(_TOOLS)
    word = chance.choice(WORDS)
    given = {
        "Bash": lambda: {"command": next(source), "description": f"Look at the {word}"},
        "Read": lambda: {"file_path": f"/srv/shop/src/{word}{number}.py"},
        "Edit": lambda: {"file_path": f"/srv/shop/src/{word}.py", "old_string": word, "new_string": f"{word}_{number}"},
        "Grep": lambda: {"pattern": word, "path": "/srv/shop/src"},
    }[tool]()
    text = " ".join(chance.choices(WORDS, k=chance.randrange(5, 300)))
    yield _line(session, number, "assistant", {"type": "tool_use", "id": id, "name": tool, "input": given})
    yield _line(session, number, "user", {"type": "tool_result", "tool_use_id": id, "content": text})


def _line(session: str, number: int, kind: str, block: dict[str, Any]) -> dict[str, Any]:
    return {
        "parentUuid": None,
        "isSidechain": False,
        "userType": "external",
        "cwd": "/srv/shop",
        "sessionId": session,
        "version": "2.1.332",
        "type": kind,
        "message": {"role": kind, "content": [block]},
        "uuid": f"{session[-12:]}-{number}-{kind}",
        "timestamp": f"2026-01-{1 + number % 28:02d}T{number % 24:02d}:00:00.000Z",
    }
