"""Names with a meaning of their own to bash."""

from __future__ import annotations

from toolaudit.patterns import late

SENSITIVE = late(
    r"PATH|IFS|ENV|BASH.*|SHELLOPTS|PS[0-4]|PROMPT_COMMAND|LD_.*|DYLD_.*|GLOBIGNORE|POSIXLY_CORRECT|EXECIGNORE"
    r"|FUNCNEST|HIST.*|LC_.*|LANG|LANGUAGE|TEXTDOMAIN.*|FCEDIT|HOSTFILE|COMP_.*|COMPREPLY|MAIL.*|CDPATH|INPUTRC"
    r"|OPTIND|UID|EUID|PPID|RANDOM|SRANDOM|SECONDS|LINENO|DIRSTACK|GROUPS|FUNCNAME|PIPESTATUS|EPOCH.*|COPROC"
)
"""Setting one of these changes what bash looks up, how it reads on, or (those with the integer attribute) evaluates the
value as arithmetic."""

VOLATILE = late(r"_|REPLY|MAPFILE|OPTARG|BASH.*|PWD|OLDPWD|COPROC|DIRSTACK|FUNCNAME|PIPESTATUS")
"""Set by bash itself, some of them to text that may come from anywhere."""

LOCALES = late(r"LC_[A-Z]+|LANG|LANGUAGE")
SAFE_LOCALE = late(r"(?:C|POSIX|[a-z]{2}_[A-Z]{2})(?:\.(?:UTF|utf)-?8)?|")
"""Locales in which a byte below 0x80 is always that ASCII character, as the reader assumes."""

RESERVED_WORDS = frozenset(
    "if then elif else fi while until for do done case esac select function time coproc in { } ! [[ ]]".split()
)


def is_sensitive(name: str, value: str | None = None) -> bool:
    """Whether setting `name` (to `value`, None if that is not known) can change what later text means or starts."""
    if not SENSITIVE.fullmatch(name):
        return False
    return not (value is not None and LOCALES.fullmatch(name) and SAFE_LOCALE.fullmatch(value))
