"""Shapes of single commands that a prefix rule does not allow, though it matches: only a rule for the whole text does.

Sources: documents, 2.3.6; measured.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from toolaudit.patterns import late
from toolaudit.shell.reading import Word
from toolaudit.shell.wrappers import SEEN_BY_DENY, TRANSPARENT, Wrapper

FIND_ACTIONS = frozenset("-delete -exec -execdir -fls -fprint -fprint0 -fprintf -ok -okdir".split())
_GLOB = late(r"[*?\[]")
_AWK_SYSTEM = late(r"\bsystem\s*\(")
_AWK_PIPE = late(r"""\|&?\s*(?:getline\b|["'])""")
_AWK_OPTION = late(r"-(?:[FPSVbdnopv].*)?\Z|--(?:version)?\Z", re.DOTALL)
_JQ_MODULE = late(r"\b(?:import|include)\b")
STARTERS: Mapping[str | None, Wrapper] = MappingProxyType({"env": SEEN_BY_DENY["env"], "xargs": TRANSPARENT["xargs"]})
JQ_FLAGS = frozenset("-f --from-file --rawfile --slurpfile -L --library-path".split())

Hazard = Callable[[Sequence[Word]], str | None]


def hazard(words: Sequence[Word]) -> str | None:
    """Why a prefix rule can't allow this command, or None; looks through `env`, `xargs` and the path of a program."""
    xargs = False
    while (starter := STARTERS.get(words[0].value)) is not None and (start := starter.start(words)) is not None:
        xargs = xargs or words[0].value == "xargs"
        words = words[start:]
    name = (words[0].value or "").rpartition("/")[2]
    if xargs and name == "find":
        return "what xargs adds to find can't be checked before it runs"
    check = HAZARDS.get(name)
    return check(words) if check is not None else None


def _find(words: Sequence[Word]) -> str | None:
    for word in words[1:]:
        if word.value in FIND_ACTIONS:
            return f"find with {word.value} runs commands or changes files"
        if word.value is None and "glob" in word.features:
            return "an unquoted glob may expand to an action of find"
    return None


def _awk(words: Sequence[Word]) -> str | None:
    for word in words[1:]:
        text = word.value if word.value is not None else word.text
        if text.startswith("-") and not _AWK_OPTION.match(text):
            return f"awk with {text} may run code that can't be checked"
        if _AWK_SYSTEM.search(text):
            return "the awk program calls system()"
        if _AWK_PIPE.search(text):
            return "the awk program runs a command through a pipe"
    return None


def _jq(words: Sequence[Word]) -> str | None:
    if any(_JQ_MODULE.search(word.text) for word in words[1:]):
        return "jq may load a module"
    flag = next((word.value for word in words[1:] if (word.value or "").partition("=")[0] in JQ_FLAGS), None)
    return f"jq with {flag} may run code or read any file" if flag is not None else None


def _flags(words: Sequence[Word]) -> str | None:
    name = (words[0].value or "").rpartition("/")[2]
    flagged = any((word.value or "").startswith("-") and word.value != "--" for word in words[1:])
    return f"{name} with options needs a person" if flagged else None


HAZARDS: Mapping[str, Hazard] = MappingProxyType(
    {"find": _find, "awk": _awk, "gawk": _awk, "mawk": _awk, "nawk": _awk, "jq": _jq, "cp": _flags, "mv": _flags}
)
