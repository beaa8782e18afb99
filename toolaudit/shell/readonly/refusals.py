"""Arguments that make an otherwise read-only program ask, named by what they would do.

A function says why arguments are refused, or None. Those for options take the words after the program and its
subcommand, those for other programs all of them. Each is measured: where it looks rough, the client is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from toolaudit.patterns import late
from toolaudit.shell import sed
from toolaudit.shell.reading import Word
from toolaudit.shell.readonly.words import RUNTIME, known

DATE_VALUED = frozenset({"-d", "--date", "-r", "--reference", "--rfc-3339"})


def sets_clock(words: Sequence[str]) -> str | None:
    """An operand of `date` that is no format sets the clock."""
    at = 0
    while at < len(words):
        word = words[at]
        at += 2 if word in DATE_VALUED else 1
        if not word.startswith(("-", "+")):
            return f"{word!r} would set the clock"
    return None


_PLAIN_OPTION = late(r"-[acdefjlmwAFHLT]+|--[a-z-]+")


def shows_environment(words: Sequence[str]) -> str | None:
    """The BSD option `e` of `ps` shows environments: beside operands, each word with that letter counts as one."""
    if all(_PLAIN_OPTION.fullmatch(word) for word in words):
        return None
    for word in words:
        letters = word.partition("=")[0] if word.startswith("-") else word
        if word == RUNTIME or ("e" in letters.lower() and not letters.startswith("--")):
            return f"{word} may ask for environments"
    return None


LSOF_PLUS = late(r"\+[cdefrwDELM][0-9]*")


def writes_mounts(words: Sequence[str]) -> str | None:
    """`lsof +m` writes a file; values of options stand alone; long options are unknown wherever they stand."""
    for word in words:
        if word.startswith("+") and not LSOF_PLUS.fullmatch(word):
            return f"{word} is not an option known to be read-only"
        if word.startswith("-") and ("=" in word or (len(word) > len("--") and word.startswith("--"))):
            return f"{word} is not an option known to be read-only"
    return None


SS_VALUED = frozenset({"-f", "--family", "-A", "--query", "--socket"})
SS_TAKING = frozenset({"state", "exclude", "sport", "dport", "dev", "fwmark", "cgroup"})
SS_WORDS = SS_TAKING | {"src", "dst", "autobound", "and", "or", "not", "eq", "ne", "gt", "ge", "lt", "le"}
_ASCII_LETTER = late(r"[A-Za-z]")
_SS_SEPARATORS = late(r"[\s()=<>!&|,]+")
_SS_ADDRESS = late(r"[0-9A-Fa-f.\[\]/]*:[0-9A-Fa-f:.\[\]/]*")


def looks_up_names(words: Sequence[str]) -> str | None:
    """`ss` asks the network for the addresses of names in its filter."""
    tokens: list[str] = []
    at, ended = 0, False
    while at < len(words):
        word = words[at]
        at += 2 if word in SS_VALUED and not ended else 1
        if ended or not word.startswith("-"):
            tokens.extend(_SS_SEPARATORS.split(word))
        ended = ended or word == "--"
    at = 0
    while at < len(tokens):
        token = tokens[at]
        at += 2 if token in SS_TAKING else 1
        if _ASCII_LETTER.search(token) and token not in SS_WORDS and not _SS_ADDRESS.fullmatch(token):
            return f"{token} may be looked up in the network"
    return None


TPUT_SCREEN = frozenset(
    """
    clear flash if init iprog is1 is2 is3 mc0 mc4 mc5 mc5i mc5p pfkey pfloc pfx pfxl reset rf rmcup rs1 rs2 rs3 smcup
    """.split()
)


def changes_screen(words: Sequence[str]) -> str | None:
    """Capabilities of `tput` that reset the terminal, print to a device or run a program."""
    return next((f"tput {word} changes the terminal" for word in words if word in TPUT_SCREEN), None)


def names_file(words: Sequence[str]) -> str | None:
    """A topic of `help` with a slash or a tilde."""
    return next((f"{word} may be a file" for word in words if "/" in word or "~" in word), None)


MAN_VALUED = frozenset({"-s", "-S"})
_MAN_SECTION = late(r"[A-Za-z0-9,:]+")
_MAN_SEARCH = late(r"-[A-Za-z]*[fk][A-Za-z]*|--apropos|--whatis")


def names_page_file(words: Sequence[str]) -> str | None:
    """A page of `man` with a slash is a file; a section is letters and digits; a search begins with its option."""
    paged = False
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word in MAN_VALUED:
            section = words[at] if at < len(words) else ""
            at += 1
            if not _MAN_SECTION.fullmatch(section):
                return f"{section!r} is not a section"
        elif word.startswith(("-s=", "-S=")) or "/" in word or "~" in word:
            return f"{word} may be a file"
        elif word == "--":
            paged = False
        elif len(word) < 2 or not word.startswith("-"):
            paged = True
        elif paged and _MAN_SEARCH.fullmatch(word):
            return f"{word} behind a page"
    return None


def lone_dash(words: Sequence[str]) -> str | None:
    """`which -`."""
    return "'-' is not an option known to be read-only" if "-" in words else None


XARGS_VALUED = frozenset({"-I", "-d", "-n", "-P", "-L", "-s", "-E"})
XARGS_STARTS = frozenset({"echo", "printf", "wc", "grep", "egrep", "fgrep", "head", "tail"})


def starts_program(words: Sequence[str]) -> str | None:
    """`xargs` may start a few programs only, whatever their arguments."""
    at = 0
    while at < len(words):
        word = words[at]
        if word == "--":
            started = words[at + 1] if at + 1 < len(words) else ""
            return None if started in XARGS_STARTS else f"xargs would start {started!r}"
        if not word.startswith("-"):
            return None if word in XARGS_STARTS else f"xargs would start {word!r}"
        at += 2 if word in XARGS_VALUED else 1
    return None


FIND_ACTIONS = frozenset("-delete -exec -execdir -files0-from -fls -fprint -fprint0 -fprintf -ok -okdir".split())
FIND_VALUED = late(
    r"-(?:[acm]min|[acm]time|[ac]newer|newer(?:[aBcmt]{2})?|i?l?name|i?path|i?regex|i?wholename|context|flags|fstype|gid"
    r"|group|inum|links|maxdepth|mindepth|perm|printf|regextype|samefile|size|x?type|uid|used|user)"
)
_GLOB = late(r"[*?\[]")


def acts_on_found(argv: Sequence[Word]) -> str | None:
    """`find` with an action that runs programs, removes or writes, or with a word that could become one."""
    for before, word in pairwise(argv):
        if word.value in FIND_ACTIONS:
            return f"find {word.value} runs programs or changes files"
        if "glob" in word.features:
            return "an unquoted glob may expand to an action of find"
        if FIND_VALUED.fullmatch(before.value or ""):
            continue
        text = known(word)
        if text is None or _GLOB.search(text):
            return f"{word.text} may expand to an action of find"
    return None


def edits(argv: Sequence[Word]) -> str | None:
    """`sed` may print lines by number, or substitute in what it is piped."""
    if sed.is_print(argv):
        return None
    if not sed.is_substitution(argv) or sed.files(argv) or any("$" in word.text for word in argv):
        return "this sed script is not known to be read-only"
    return None


JQ_SHAPE = late(r"jq(?:\s+(?:-[a-zA-Z]+|--[a-zA-Z-]+(?:=\S+)?))*(?:\s+(?:'[^'`]*'|\"[^\"`]*\"|[^-\s'\"]\S*))+")
JQ_REACHES = late(r"\benv\b|\$ENV\b|\bsystem\s*\(|\b(?:import|include)\b")
JQ_FILES = late(r"-[A-Za-z]*[fL].*|--(?:from-file|rawfile|slurpfile|argfile|run-tests|library-path)(?:=.*)?", re.DOTALL)


def reads_more(argv: Sequence[Word]) -> str | None:
    """`jq` needs a filter after its options, may not look at the environment, and reads no program or module."""
    for word in argv[1:]:
        text = known(word)
        if text is None or JQ_FILES.fullmatch(text):
            return f"jq {word.text} may read a file"
    text = " ".join(word.text for word in argv)
    if JQ_REACHES.search(text):
        return "the filter reaches the environment, a module or a command"
    return None if JQ_SHAPE.fullmatch(text) else "these arguments are not known to be read-only"


_TEXT_DIRECTIVE = late(r"%(?:[-+ #0']*[0-9]*(?:\.[0-9]+)?[sbqc]|%)")
_PRINTF_NUMBER = late(r"[-+]?(?:0[xX][0-9A-Fa-f]+|[0-9]+(?:\.[0-9]+)?)")


def evaluates(argv: Sequence[Word]) -> str | None:
    """`printf` takes no option but `--`, and evaluates what a numeric format is given: zsh as arithmetic."""
    words = [known(word) for word in argv[1:]]
    if None in words:
        return "a word that is only known at run time may carry a subscript"
    texts = [word for word in words if word is not None]
    if texts[:1] == ["--"]:
        del texts[0]
    elif texts and texts[0].startswith("-"):
        return f"{texts[0]} is an option"
    if texts and "$" in texts[0]:
        return "the format of printf holds a dollar sign"
    if texts and "%" in _TEXT_DIRECTIVE.sub("", texts[0]):
        return next((f"{text!r} is no number" for text in texts[1:] if not _PRINTF_NUMBER.fullmatch(text)), None)
    return None


def several_directories(argv: Sequence[Word]) -> str | None:
    """`cd` takes one directory, and options only beside a glob pattern."""
    operands = list(argv[1:])
    while operands and operands[0].text.startswith("-") and operands[0].text != "-":
        del operands[0]
    if len(operands) > 1:
        return "cd with several directories"
    options = len(argv) - 1 > len(operands)
    globs = any("glob" in word.features for word in operands)
    return "cd with options" if operands and options and not globs else None


def zsh_stat(argv: Sequence[Word]) -> str | None:
    """`stat -A` and `stat -H` set a variable where zsh's own `stat` is loaded."""
    return next((f"stat {word.text} sets a variable in zsh" for word in argv[1:] if word.text in ("-A", "-H")), None)
