"""File commands that an edit mode approves: where acceptEdits or auto would approve an edit, these need no rule.

Sources: documents, 9.2; the shapes measured.
"""

from __future__ import annotations

from toolaudit.model.versions import NEWEST, Difference, Version
from toolaudit.patterns import late
from toolaudit.permissions.bash.parts import Part
from toolaudit.shell import sed

PROGRAMS = frozenset({"mkdir", "mv", "cp", "rm", "rmdir"})
"""With any wrapper an allow rule looks through, and safe assignments before them."""

_PLAIN_TOUCH = late(r"touch(?: (?!-)\S[^\n]*)?\Z")


def approves(part: Part, version: Version = NEWEST) -> bool:
    """Whether an edit mode approves the command, its paths aside."""
    if part.program in PROGRAMS:
        return part.safe
    if part.program == "touch" and not version.has(Difference.EDITS_PLAIN_TOUCH):
        return part.safe
    if part.program == "sed":
        return part.safe and sed.is_substitution(part.words)
    if part.program == "touch":
        return not part.wrappers and not part.command.assignments and _PLAIN_TOUCH.match(part.text) is not None
    return False
