"""File commands that an edit mode approves: where acceptEdits or auto would approve an edit, these need no rule.

Sources: documents, 9.2; the shapes measured.
"""

from __future__ import annotations

import re

from toolaudit.model.versions import NEWEST, Difference, Version
from toolaudit.patterns import late
from toolaudit.permissions.bash.parts import Part
from toolaudit.shell import sed

PROGRAMS = frozenset({"mkdir", "mv", "cp", "rm", "rmdir"})
"""With any wrapper an allow rule looks through, and safe assignments before them."""

_PLAIN_TOUCH = late(r"touch(?: (?!-)\S[^\n]*)?\Z")


_SCRIPT = late(r"[acdeghilnpqrtwxzACDGHINPQRTW]|\d+(?:,\d+|[A-Za-z])|w.+|[^y]*y..+|s[^\w].*|s.*/[we]", re.DOTALL)
"""Names of files that could be a script of `sed`."""


def approves(part: Part, version: Version = NEWEST) -> bool:
    """Whether an edit mode approves the command, its paths aside."""
    if part.program in PROGRAMS:
        return part.safe
    if part.program == "touch" and not version.has(Difference.EDITS_PLAIN_TOUCH):
        return part.safe
    if part.program == "sed":
        return part.safe and sed.is_substitution(part.words) and not _could_be_scripts(part)
    if part.program == "touch":
        return not part.wrappers and not part.command.assignments and _PLAIN_TOUCH.match(part.text) is not None
    return False


def _could_be_scripts(part: Part) -> bool:
    """Whether some `sed` would take the word behind `-i` for a suffix, and the first file for the script (measured)."""
    words = [word.value or "" for word in part.words]
    at = words.index("-i") if "-i" in words else len(words)
    behind = words[at + 2 : at + 3]
    substitutes = at + 1 < len(words) and not words[at + 1].startswith("-")
    return substitutes and bool(behind and _SCRIPT.fullmatch(behind[0]))
