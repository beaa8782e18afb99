"""Regular expressions that are compiled when they are first used.

A one-shot command uses few of the many patterns in the modules it loads, and compiling all of them would cost more than
its answer.
"""

from __future__ import annotations

import re
from typing import Any, cast

_USES = ("findall", "finditer", "fullmatch", "match", "search", "split", "sub", "subn")


class _Late:
    """Stands in for a compiled pattern; after the first use its methods are the compiled pattern's own."""

    def __init__(self, source: str, flags: int) -> None:
        self.pattern = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self.pattern, self._flags)
        for use in _USES:
            setattr(self, use, getattr(compiled, use))
        return getattr(compiled, name)


def late(source: str, flags: int = 0) -> re.Pattern[str]:
    """`re.compile(source, flags)`, put off to the first use; an error in `source` is raised then."""
    return cast("re.Pattern[str]", _Late(source, flags))
