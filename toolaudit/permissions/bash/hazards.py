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
FILE_PROGRAMS = frozenset({"cp", "mv"})
"""Programs whose hazard is no more than what they write."""

JQ_FLAGS = frozenset("-f --from-file --rawfile --slurpfile -L --library-path".split())

Hazard = Callable[[Sequence[Word]], str | None]


def hazard(words: Sequence[Word]) -> str | None:
    """Why a prefix rule can't allow this command, or None; looks through `env`, `xargs` and the path of a program."""
    words, why = _started(words)
    check = HAZARDS.get(_base(words))
    return why or (check(words) if check is not None else None)


def execution(words: Sequence[Word]) -> str | None:
    """The same, but only for what may run other code; the client says so before all else."""
    words, why = _started(words)
    return why or (hazard(words) if _base(words) not in FILE_PROGRAMS else None)


def _started(words: Sequence[Word]) -> tuple[Sequence[Word], str | None]:
    """The words of the program that runs in the end, and what speaks against how it is started."""
    xargs = False
    while (starter := STARTERS.get(words[0].value)) is not None and (start := starter.start(words)) is not None:
        xargs = xargs or words[0].value == "xargs"
        words = words[start:]
    unknown = xargs and _base(words) == "find"
    return words, "what xargs adds to find can't be checked before it runs" if unknown else None


def _base(words: Sequence[Word]) -> str:
    return (words[0].value or "").rpartition("/")[2]


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
    flagged = any((word.value or "").startswith("-") and word.value != "--" for word in words[1:])
    return f"{_base(words)} with options needs a person" if flagged else None


HAZARDS: Mapping[str, Hazard] = MappingProxyType(
    {"find": _find, "awk": _awk, "gawk": _awk, "mawk": _awk, "nawk": _awk, "jq": _jq, "cp": _flags, "mv": _flags}
)
