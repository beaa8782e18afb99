"""A sub-agent that runs on its own, told of like a command in the background: what it is, and whether it has ended."""

from __future__ import annotations

import threading
from collections.abc import Callable

from toolaudit.tools.effects.background import Status

STOP_SECONDS = 5.0
"""For which a stopped agent may end the call it is at."""


class AgentRun:
    """One sub-agent in a thread of its own. `work` gives its report; `interrupt` makes it begin nothing more."""

    kind = "local_agent"
    code: int | None = None
    excess = ""

    def __init__(self, id: str, description: str, work: Callable[[], str], interrupt: Callable[[str], None]) -> None:
        self.id = id
        self.command = description
        self.status: Status = "running"
        self.done = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True, name=f"agent {id}")
        self._work = work
        self._interrupt = interrupt
        self._report = ""
        self._stopped = False

    def _run(self) -> None:
        try:
            self._report = self._work()
            self.status = "killed" if self._stopped else "completed"
        except Exception as error:
            # Nobody waits for this thread, so the failure is told to whoever asks for the output.
            self._report, self.status = f"The agent failed: {type(error).__name__}", "failed"
        finally:
            self.done.set()

    def stop(self) -> None:
        """Interrupts the agent and waits until it has ended, or for as long as it may take."""
        if not self.done.is_set():
            self._stopped = True
            self._interrupt("the agent was stopped")
            self.done.wait(STOP_SECONDS)

    def new_text(self, most: int) -> bytes:
        """The report, which is handed out once."""
        report, self._report = self._report if self.done.is_set() else "", ""
        return report.encode(errors="replace")[:most]
