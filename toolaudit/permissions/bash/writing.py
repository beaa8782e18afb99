"""Words whose writing hides what they will be: what the client refuses in a word, a redirection or an assigned value.

Every row is measured.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from toolaudit.patterns import late
from toolaudit.permissions.bash.quoting import PLACEHOLDER, split
from toolaudit.shell.reading import Redirect, Shape, SimpleCommand, Word
from toolaudit.structs import replace

FEATURES: Mapping[str, str] = MappingProxyType(
    {
        "expansion": "a variable in braces",
        "ansi-c": "text with escape codes",
        "brace": "a brace expansion",
        "process-substitution": "a command used as a file",
        "array": "a list of values",
        "translated": "translated text",
    }
)
"""What a word may hold that is refused wherever it stands."""

INERT_VARIABLES = frozenset(
    """
    # $ - ? BASHPID BASH_VERSION EUID HOME HOSTNAME IFS LINENO LOGNAME OLDPWD PATH PPID PWD RANDOM SECONDS SHELL SHLVL
    TMPDIR UID USER
    """.split()
)
"""Variables whose value the client takes for text where they stand in double quotes among other text (measured)."""

_NAME = late(r"[A-Za-z_]")
_ZSH_COMMAND = late(r"=[A-Za-z_]")
_ESCAPED_BLANK = late(r"\\[ \t]")
_HIDDEN_LINE = late(r"\n[ \t]*#")
_ALTERNATIVES = late(r"\{[^{}]*(?:,|\.\.)[^{}]*\}")
BRACED_QUOTE = late(r"""\{[^}]*["']""")
QUOTED = late(r"""'[^']*'|"(?:[^"\\]|\\.)*\"""", re.DOTALL)
_SPELLED_OUT = late(r"""\$\(cat <<[ \t]*(['"])(\w+)\1\n(?:[^\n]*\n)*?\2\n[ \t]*\)""")
"""`$(cat <<'EOF' …)`: its output is its text."""

_SPELLED = "\1"
"""Stands for such a text while a word is taken apart."""

_ARITHMETIC = late(r"\$\(\([^()]*\)\)")
_VARIABLE = late(r"\$([A-Za-z_]\w*|[#$?!@*0-9-])")
_ESCAPE = late(r"""\\([$`"\\])""")
_SUBSTITUTION = late(r"\$\(.*\)|`.*`", re.DOTALL)
_HOME = late(r"\$HOME\b")
_MIN_TEXT = 2
"""Characters beside a variable in quotes from which on the client takes the whole for text."""


def swallows(command: SimpleCommand) -> bool:
    """Whether a word stands behind a redirection that takes a file or a descriptor."""
    ends = [redirect.span[1] for redirect in command.redirects if redirect.operator not in ("<<", "<<-", "<<<")]
    inner = [end for end in ends if command.argv and command.argv[0].span[0] < end]
    return bool(inner) and min(inner) < command.argv[-1].span[0]


def refused(word: Word) -> str | None:
    """Why the word is refused, or None."""
    if not word.features and word.text == word.value:
        if word.text.startswith("=") and _ZSH_COMMAND.match(word.text):
            return "a word that zsh expands can't be checked before it runs"
        return "a lone dollar sign can't be checked before it runs" if "$" in word.text else None
    for feature in word.features:
        if feature in FEATURES:
            return f"{FEATURES[feature]} can't be checked before it runs"
    if "variable" in word.features or "command-substitution" in word.features or "arithmetic" in word.features:
        why = _dynamic(word)
        if why is not None:
            return why
    if _is_dynamic_option(word):
        return "an option that is only known at run time can't be checked"
    return misleading(word)


def spelled_out(word: Word) -> Word:
    """The word with the text that `$(cat <<'EOF' …)` in double quotes prints put in, where that is all it holds."""
    match = _SPELLED_OUT.search(word.text) if "command-substitution" in word.features else None
    if match is None or not {"command-substitution", "double-quote", "single-quote"}.issuperset(word.features):
        return word
    before, after = word.text[: match.start()], word.text[match.end() :]
    if any(mark in before + after for mark in "$`\\'") or before.count('"') % 2 == 0:
        return word
    body = match[0].partition("\n")[2].rpartition("\n" + match[2])[0]
    value = before.replace('"', "") + body.rstrip("\n") + after.replace('"', "")
    return replace(word, value=value, shape=Shape.STATIC, features=frozenset({"double-quote"}))


def hides_lines(word: Word) -> bool:
    """Whether quotes hold a line that begins with `#`, which can hide arguments from a second reading."""
    return word.text[:1] in "\"'" and _HIDDEN_LINE.search(_SPELLED_OUT.sub("", word.text)) is not None


def misleading(word: Word) -> str | None:
    """Why the way a word is written may hide what it is: the client looks for this before it reads anything."""
    if ("escape" in word.features and _ESCAPED_BLANK.search(_unquoted_text(word.text))) or (
        "\\\n" in word.text and "'" not in word.text
    ):
        return "an escaped blank can't be checked before it runs"
    if "{" in word.text and BRACED_QUOTE.search(_unquoted_text(word.text, mark='"')):
        return "a brace with a quote in it can't be checked before it runs"
    return None


def assigned(word: Word) -> str | None:
    """Why the value of an assignment is refused, or None."""
    if "~" in (word.text if word.value is None else word.value):
        return "a tilde in an assigned value may be expanded"
    if _ALTERNATIVES.search(word.text) and not word.features:
        return "a brace expansion can't be checked before it runs"
    if "command-substitution" in word.features and '"' not in word.text:
        whole = _SUBSTITUTION.fullmatch(word.text) is not None
        return None if whole else "a value beside the output of a command can't be checked before it runs"
    return refused(word)


def redirected(redirect: Redirect, source: bytes) -> str | None:
    """Why a redirection in the text `source` is refused, or None."""
    if redirect.operator in ("<<", "<<-"):
        end = redirect.span[1]
        if source[end - 1 : end] not in (b"'", b'"'):
            return "a here-document with an unquoted delimiter undergoes expansion"
        if source[end:].partition(b"\n")[0].strip():
            return "text after the start of a here-document can't be checked"
        return "a brace with a quote in it can't be checked" if BRACED_QUOTE.search(redirect.target.text) else None
    if redirect.operator == "<>":
        return "this redirection can't be checked before it runs"
    if redirect.operator in (">&", "<&") and (redirect.target.value or "").endswith("-"):
        return "closing a descriptor can't be checked before it runs"
    if "command-substitution" in redirect.target.features and redirect.operator != "<<<":
        return "a redirection target that is only known at run time can't be checked"
    return refused(redirect.target)


def _unquoted_text(text: str, mark: str = "") -> str:
    """`text` without its quoted stretches, each of which leaves `mark` behind."""
    return QUOTED.sub(mark, text)


def _dynamic(word: Word) -> str | None:
    """Why a word with a part that is only known at run time is refused.

    In double quotes, substitutions and a few variables count as text where at least two characters stand beside them;
    the home directory counts as text anywhere, and so does a sum of numbers outside quotes.
    """
    text = _HOME.sub("/home", _SPELLED_OUT.sub(_SPELLED, word.text))
    sums = _ARITHMETIC.findall(text)
    if any(_NAME.search(one) for one in sums):
        return "arithmetic with names can't be checked before it runs"
    quoting = split(_ARITHMETIC.sub("$?", text) if '"' in text else _ARITHMETIC.sub("1", text))
    if quoting is None or PLACEHOLDER in quoting.bare or _SPELLED in quoting.bare:
        return "a nested command can't be checked before it runs"
    if _VARIABLE.search(_ESCAPE.sub("", quoting.bare)):
        return "a variable can't be checked before it runs"
    for quoted in quoting.quoted:
        literal = _ESCAPE.sub("x", quoted.replace(_SPELLED, "text"))
        if not all(name in INERT_VARIABLES for name in _VARIABLE.findall(literal)):
            return "a variable can't be checked before it runs"
        rest = _VARIABLE.sub("", literal).replace(PLACEHOLDER, "")
        if rest != literal and len(rest) < _MIN_TEXT:
            return "quoted text that is only known at run time can't be checked"
    return None


def _is_dynamic_option(word: Word) -> bool:
    if word.shape is Shape.STATIC or not word.text.startswith(("-", '"-', "'-")):
        return False
    text = _HOME.sub("/home", _SPELLED_OUT.sub("text", word.text))
    return "$" in text or "`" in text
