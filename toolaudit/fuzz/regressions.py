"""Discoveries kept as rows of a file, so that later runs and tests see at once which of them still hold.

A row: `question`, `policy` (a path, relative to the file where possible), `mode`, `rule`, `command`, `behavior` (what
the policy made of it), `started` (what should not have run), `rewrites`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from toolaudit.fuzz.discovery import Discovery
from toolaudit.fuzz.facts import Argv
from toolaudit.fuzz.trial import Trial
from toolaudit.model import Behavior, Mode


@dataclass(frozen=True, slots=True)
class Regression:
    """One saved discovery."""

    question: str
    policy: str
    mode: Mode
    rule: str | None
    command: str
    behavior: Behavior
    started: Argv | None
    rewrites: tuple[str, ...]

    def holds(self, trial: Trial) -> bool:
        """Whether the policy still decides so, and the command still starts what it should not."""
        if trial.decide(self.command, mode=self.mode).behavior is not self.behavior:
            return False
        return self.started is None or self.started in trial.started(self.command)


def read(file: Path) -> list[Regression]:
    """The rows of a file. Raises ValueError, with the line, where one is malformed."""
    rows = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        try:
            row = json.loads(line)
            rows.append(
                Regression(
                    question=row["question"],
                    policy=row["policy"],
                    mode=Mode(row["mode"]),
                    rule=row["rule"],
                    command=row["command"],
                    behavior=Behavior(row["behavior"]),
                    started=tuple(row["started"]) if row["started"] is not None else None,
                    rewrites=tuple(row["rewrites"]),
                )
            )
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{file}:{number}: expected a saved discovery, got {line[:60]!r}: {error}") from None
    return rows


def place(policy: Path, file: Path) -> str:
    """How the rows of `file` name a policy."""
    return os.path.relpath(policy, file.parent)


def save(discoveries: Iterable[Discovery], file: Path, policy: Path, mode: Mode) -> int:
    """Adds the discoveries that the file does not have yet; returns how many those are."""
    known = {(row.question, row.policy, row.mode, row.command) for row in (read(file) if file.exists() else ())}
    where = place(policy, file)
    fresh = []
    for discovery in discoveries:
        if (discovery.question, where, mode, discovery.command) not in known:
            row = {
                "question": discovery.question,
                "policy": where,
                "mode": mode,
                "rule": None if discovery.rule is None else str(discovery.rule),
                "command": discovery.command,
                "behavior": discovery.behavior,
                "started": discovery.started,
                "rewrites": discovery.rewrites,
            }
            fresh.append(json.dumps(row, ensure_ascii=False))
    with file.open("a", encoding="utf-8") as out:
        out.writelines(line + "\n" for line in fresh)
    return len(fresh)
