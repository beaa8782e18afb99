"""Redirections: operator, descriptor, target."""

from __future__ import annotations

import re

from toolaudit.patterns import late
from toolaudit.shell import words
from toolaudit.shell.reading import Redirect, Shape, Word
from toolaudit.shell.state import State

OPERATOR = late(r"([0-9]{1,4})?(<<<|<<-?|<>|<&|<(?!\()|>>|>&|>\||>(?!\())|(&>>?)")
"""Longest first, as bash reads them. `<(` and `>(` open a word."""

EXPANDED_TWICE = late(r"[$`<>]")
"""Bash expands the target of `>&` again after quote removal, unless it is a number: `>&'$(id)'` runs `id`."""


def read(state: State, match: re.Match[str], end: int) -> Redirect:
    """The redirection whose operator `match` found; here-documents are not read here."""
    start = match.start()
    operator = match[2] or match[3]
    descriptor = int(match[1]) if match[1] else None
    # Bash drops a continuation before it looks for a longer operator, but no word begins with what would make one.
    position = words.skip_blanks(state, match.end(), end)
    if operator in ("<&", ">&") and state.source.startswith("-", position) and position < end:
        # Bash takes the dash alone, even where a word follows it at once: `>&-x` closes, and `x` is a word.
        target = Word("-", Shape.STATIC, "-", (position, position + 1))
    else:
        target = words.read(state, position, end)
        if operator in ("<&", ">&") and (target.value is None or EXPANDED_TWICE.search(target.value)):
            state.evaluates("expanded-twice", "file_redirect", target.span)
    return Redirect(operator, descriptor, target, (start, target.span[1]))
