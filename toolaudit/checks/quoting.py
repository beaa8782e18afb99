from __future__ import annotations

import re
from typing import Final

_QUOTED: Final = re.compile(r"""'[^']*'|"(?:[^"\\]++|\\.)*+"|\\.""", re.DOTALL)


def unquoted(text: str) -> str:
    """`text` of a rule with what stands in quotes, and what a backslash makes plain, left out."""
    return _QUOTED.sub("", text)
