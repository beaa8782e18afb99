"""Variables that a command may be given without asking, and those that change how the shell itself works.

Sources: documents, 2.3.3; every name and form of value measured.
"""

from __future__ import annotations

from toolaudit.patterns import late

SAFE_VARIABLES = frozenset(
    """
    ANTHROPIC_API_KEY BLOCKSIZE BLOCK_SIZE CGO_ENABLED CHARSET CI CLICOLOR CLICOLOR_FORCE COLORTERM DEBIAN_FRONTEND
    FORCE_COLOR GCC_COLORS GIT_TERMINAL_PROMPT GO111MODULE GOARCH GOEXPERIMENT GOOS GREP_COLOR GREP_COLORS LANGUAGE
    LC_TIME LSCOLORS LS_COLORS NODE_ENV NO_COLOR PYTEST_DEBUG PYTEST_DISABLE_PLUGIN_AUTOLOAD PYTHONDONTWRITEBYTECODE
    PYTHONUNBUFFERED RUST_BACKTRACE RUST_LOG TERM TIME_STYLE TZ
    """.split()
)
"""Variables that allow rules and read-only checks look through, with any value that is no path leading out."""

NUMBERS = frozenset({"COLUMNS", "LINES"})
"""Likewise, with a number only."""

LOCALES = frozenset({"LANG", "LC_ALL", "LC_CTYPE"})
"""Likewise, with the name of an ordinary locale only."""

STAYING_VARIABLES = (SAFE_VARIABLES | NUMBERS) - {"LANGUAGE", "LC_TIME"}
"""Those that may also be set for the commands that follow."""

SHELL_VARIABLES = frozenset(
    """
    BASHPID BASH_ALIASES BASH_CMDS BASH_ENV BASH_LOADABLES_PATH CDPATH COLUMNS DIRSTACK ENV EUID EXECIGNORE FPATH
    FUNCNEST GLOBIGNORE HISTCHARS HISTCMD HISTFILE HOME IFS KEYTIMEOUT LANG LANGUAGE LINENO LINES MAILPATH MANPATH
    NULLCMD OPTIND PATH PPID PS4 RANDOM READNULLCMD SECONDS SHELL SHLVL TMOUT UID ZDOTDIR aliases cdpath commands fpath
    functions histchars mailpath manpath path
    """.split()
)
"""Variables by which bash or zsh finds commands, reads text or counts."""

INFLUENTIAL_VARIABLES = frozenset("BASH_ENV ENV HOME IFS LD_LIBRARY_PATH LD_PRELOAD PATH PS4 SHELL".split())
"""Variables that change what every program after them is or does."""

_SHELL_FAMILIES = ("DYLD_", "LC_", "LD_")
_LEADS_OUT = late(r"(?:^|:)/|(?:^|[:/])\.\.(?:/|$)")
_NUMBER = late(r"[0-9]+")
_LOCALE = late(r"C|POSIX|(?:C|[a-z]{2}_[A-Z]{2})\.(?:UTF|utf)-?8")


def safely_set(name: str, value: str) -> bool:
    """Whether a command may be given the variable without asking."""
    if name in SAFE_VARIABLES:
        return _LEADS_OUT.search(value) is None
    if name in NUMBERS:
        return _NUMBER.fullmatch(value) is not None
    return name in LOCALES and ((name == "LANG" and not value) or _LOCALE.fullmatch(value) is not None)


def steers_shell(name: str) -> bool:
    """Whether the variable changes how the shell finds or reads commands."""
    return name in SHELL_VARIABLES or name.startswith(_SHELL_FAMILIES)
