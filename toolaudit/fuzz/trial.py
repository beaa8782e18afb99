from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from toolaudit import shell
from toolaudit.fuzz.facts import Argv
from toolaudit.fuzz.meaning import static_words
from toolaudit.fuzz.oracle import Oracle
from toolaudit.fuzz.rewrites.command import quote
from toolaudit.fuzz.starting import starts
from toolaudit.model import Behavior, Decision, Mode, Policy, ToolCall
from toolaudit.model.workspace import Workspace
from toolaudit.permissions import decide

DEPTH_MAX = 4
"""How far programs that start programs that start programs are followed."""

STARTED_MAX = 200

BRANCHING = re.compile(r"[|&!]|\b(?:if|while|until|trap|set)\b")
"""Text in which what a program's failure leads to may differ from what its success does."""


@dataclass(slots=True)
class Trial:
    """A policy under attack: what it decides for a command, and what the command would really start."""

    policy: Policy
    mode: Mode
    workspace: Workspace
    oracle: Oracle | None
    """None: what a command starts is taken from the shell reader, unchecked."""
    _started: dict[str, dict[Argv, Argv | None]] = field(default_factory=dict)

    def decide(self, command: str, policy: Policy | None = None, mode: Mode | None = None) -> Decision:
        return decide(ToolCall("Bash", {"command": command}), policy or self.policy, mode or self.mode, self.workspace)

    def allows(self, argv: Argv) -> bool:
        """Whether `argv`, written plainly, would be run without anybody being asked."""
        return self.decide(" ".join(map(quote, argv))).behavior is Behavior.ALLOW

    def started(self, command: str) -> Mapping[Argv, Argv | None]:
        """Every program that `command` starts: those that bash starts, each with None, and by the facts those that
        they start in turn, each with the words of the one that starts it."""
        known = self._started.get(command)
        if known is None:
            known = self._started[command] = {}
            for argv, parent in self._follow(command):
                known.setdefault(argv, parent)
        return known

    def _follow(self, command: str) -> Iterator[tuple[Argv, Argv | None]]:
        todo: list[tuple[Argv, Argv | None, int]] = [(argv, None, 0) for argv in self._first(command)]
        for _ in range(STARTED_MAX):
            if not todo:
                return
            argv, parent, depth = todo.pop(0)
            yield argv, parent
            if depth < DEPTH_MAX:
                for started in starts(argv):
                    inner = (started.argv,) if started.argv is not None else self._first(started.shell or "")
                    todo += [(found, argv, depth + 1) for found in inner if found]

    def _first(self, command: str) -> tuple[Argv, ...]:
        """What bash itself starts, in the branches where programs succeed and in those where they fail."""
        if self.oracle is None:
            return tuple(filter(None, map(static_words, shell.read(command).commands)))
        try:
            branches = (True, False) if BRANCHING.search(command) else (True,)
            runs = [self.oracle.run(command, succeed) for succeed in branches]
        except ValueError:
            return ()
        programs = dict.fromkeys(program for run in runs for program in run.programs)
        return tuple(tuple(word.decode("utf-8", "surrogateescape") for word in program) for program in programs)
