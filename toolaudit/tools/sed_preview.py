"""What an in-place edit with `sed` would make of a file: computed on a copy, so that it can be shown before it is done.

What was approved is what is written, to the byte: the edit is applied from here, and `sed` is not run again on a file
that may have changed meanwhile.
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from toolaudit.shell import read, sed
from toolaudit.tools.context import ToolUseContext
from toolaudit.tools.effects import disk, texts
from toolaudit.tools.effects.commands import find_runner
from toolaudit.tools.interface import ToolError
from toolaudit.tools.places import locate_to_write

SECONDS: Final = 10.0
"""For which `sed` may run on a copy."""

_IN_PLACE: Final = ("-i", "--in-place")


@dataclass(frozen=True, slots=True)
class SedEdit:
    """The file that an edit changes, and its text before and after."""

    path: str
    before: str
    after: str


def preview(command: str, context: ToolUseContext) -> SedEdit | None:
    """The edit that a command is, where it is one plain substitution in one file; None: it is something else.

    Raises ToolError where `sed` can't be run or fails.
    """
    found = _parse(command)
    if found is None:
        return None
    arguments, path = found
    place = locate_to_write(path, context)
    try:
        data, _ = disk.read(place.resolved)
    except (FileNotFoundError, IsADirectoryError):
        return None
    document = texts.decode(data)
    if not document.exact:
        return None
    return SedEdit(place.path, document.text, texts.decode(_run(arguments, data, context)).text)


def _parse(command: str) -> tuple[list[str], str] | None:
    """The words of a `sed -i` without its file, and the file."""
    reading = read(command)
    if reading.complexity is not None or len(reading.commands) != 1:
        return None
    part = reading.commands[0]
    words = part.argv
    values = [word.value for word in words if word.value is not None]
    if part.context or part.assignments or part.redirects or len(values) != len(words) or not values:
        return None
    if values[0] != "sed" or not sed.is_substitution(words) or not set(values) & set(_IN_PLACE):
        return None
    files = sed.files(words)
    if len(files) != 1 or words[-1] != files[0]:
        return None
    return values[:-1], values[-1]


def _run(arguments: list[str], data: bytes, context: ToolUseContext) -> bytes:
    with tempfile.TemporaryDirectory(prefix="toolaudit-sed-") as folder:
        folder = os.path.realpath(folder)
        copy = Path(folder) / "copy"
        copy.write_bytes(data)
        runner = context.options.runner or find_runner()
        task = context.tasks.start([*arguments, "--", "copy"], folder, runner, command="sed", writable=(folder,))
        ended = task.done.wait(SECONDS)
        task.stop()
        complaint = task.text(0, 500).decode(errors="replace").strip()
        context.tasks.forget(task)
        if not ended or task.code:
            raise ToolError(complaint or "sed did not end in time.", "sed_failed")
        return disk.read(str(copy))[0]
