"""Texts that tools change: loaded as they are now, checked against what the session knows of them, and saved.

Every tool that changes a text file goes through `Source`, so that none writes over what the model has not seen.
"""

from __future__ import annotations

from dataclasses import dataclass

from toolaudit.tools.context import FileState, ToolUseContext
from toolaudit.tools.effects import disk, texts
from toolaudit.tools.effects.texts import Document
from toolaudit.tools.interface import ToolError
from toolaudit.tools.places import Place, locate_to_write

UNREAD = "File has not been read yet. Read it first before writing to it."
STALE = (
    "File has been modified since read, either by the user or by a linter. Read it again before attempting to write it."
)
LEGACY = "File is not valid UTF-8, so that nothing was written: change it with a shell command that keeps its encoding."
BINARY = "File is binary, so that nothing was written."
PROBED = 8192
"""How many characters at the beginning of a file decide whether it is binary."""


@dataclass(frozen=True, slots=True)
class Source:
    """A text file at the moment it is about to be changed."""

    place: Place
    document: Document
    known: FileState | None
    """What the session knew of it; None: nothing."""
    there: bool
    modified: float = 0.0

    @property
    def text(self) -> str:
        return self.document.text

    @property
    def stale(self) -> bool:
        """The file changed since the session read it. A new time alone is no change where the whole text is known."""
        known = self.known
        if known is None or self.modified <= known.timestamp:
            return False
        return known.partial or known.text != self.text

    def check_known(self, context: ToolUseContext) -> None:
        """Raises ToolError where the session may not change the file unread. A file that it may read is known."""
        access = context.permissions.access
        if self.there and self.known is None and not (access is not None and access.readable(self.place.path)):
            raise ToolError(UNREAD, "unread")

    def save(self, text: str, context: ToolUseContext, document: Document | None = None) -> None:
        """Puts `text` into the file, which the session then knows."""
        document = document or self.document
        try:
            data = document.encode(text)
        except UnicodeEncodeError as error:
            raise ToolError("The text holds half a surrogate pair, which no file can hold.", "bad_text") from error
        modified = disk.write(self.place.resolved, data)
        context.files.put(self.place.path, FileState(text.replace("\r\n", "\n"), modified))


def load(path: str, context: ToolUseContext) -> Source:
    """The file at a path as it was given, empty if it is not there. Raises ToolError where it can't be changed."""
    place = locate_to_write(path, context)
    known = context.files.get(place.path)
    try:
        data, modified = disk.read(place.resolved)
    except FileNotFoundError:
        return Source(place, texts.NEW, known, there=False)
    except IsADirectoryError as error:
        raise ToolError(f"{place.path} is a directory, not a file.", "EISDIR") from error
    document = texts.decode(data)
    if not document.exact:
        raise ToolError(LEGACY, "legacy_encoding")
    if "\0" in document.text[:PROBED]:
        raise ToolError(BINARY, "binary_file")
    return Source(place, document, known, there=True, modified=modified)
