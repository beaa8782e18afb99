"""A real headless Chromium, driven over a pipe by its own protocol; no other library is needed."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
PATIENCE = 60
"""Seconds for one answer."""


def found() -> str | None:
    """The browser of this machine, or None."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Browser:
    """One page in a browser that is closed with the context."""

    def __init__(self, program: str, profile: Path) -> None:
        self._last = 0
        self.events: list[dict[str, Any]] = []
        theirs, self._to = os.pipe()
        self._from, answers = os.pipe()
        options = [
            *("--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run"),
            *(f"--user-data-dir={profile}", "--disable-dev-shm-usage", "about:blank"),
        ]
        # The protocol wants its pipes as descriptors 3 and 4.
        redirected = f'exec "$0" "$@" 3<&{theirs} 4>&{answers}'
        self._process = subprocess.Popen(
            ["bash", "-c", redirected, program, *options],
            pass_fds=(theirs, answers),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs)
        os.close(answers)
        self._rest = b""
        self._session = ""
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")

    def __enter__(self) -> Browser:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._to)
        os.close(self._from)

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """The result of one command; events that come meanwhile are kept."""
        self._last += 1
        message: dict[str, Any] = {"id": self._last, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        with _deadline(self._process):
            for answer in self._messages():
                if answer.get("id") == self._last:
                    assert "error" not in answer, answer["error"]
                    result: dict[str, Any] = answer["result"]
                    return result
                self.events.append(answer)
        raise AssertionError(f"the browser went away during {method}")

    def _messages(self) -> Iterator[dict[str, Any]]:
        while True:
            whole, mark, rest = self._rest.partition(b"\0")
            if mark:
                self._rest = rest
                yield json.loads(whole)
                continue
            more = os.read(self._from, 1 << 20)
            if not more:
                return
            self._rest += more

    def open(self, page: Path, width: int = 1200, height: int = 900) -> None:
        """Show a file in a window of this size, and wait until it is loaded."""
        self.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        self.events.clear()
        self.send("Page.navigate", url=page.as_uri())
        while self.ask("document.readyState") != "complete":
            pass

    def ask(self, expression: str) -> Any:
        """The value of a JavaScript expression in the page."""
        return self.send("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def picture(self, file: Path) -> None:
        """A screenshot of the whole page."""
        taken = self.send("Page.captureScreenshot", captureBeyondViewport=True)
        file.write_bytes(base64.b64decode(taken["data"]))

    def printed(self) -> bytes:
        """The page as it is printed: a PDF."""
        return base64.b64decode(self.send("Page.printToPDF")["data"])


@contextmanager
def _deadline(process: subprocess.Popen[bytes]) -> Iterator[None]:
    def stop() -> None:
        with suppress(ProcessLookupError):
            process.kill()

    timer = threading.Timer(PATIENCE, stop)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
