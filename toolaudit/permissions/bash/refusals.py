"""What the client says it can't check before it runs: such a command is never allowed part by part.

The reader may understand more than the client looks into; this module says which of the understood shapes the client
refuses all the same. Only the whole text can allow a refused command: a bare `Bash` rule, or a rule that spells it out.
Every row is measured.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from toolaudit.permissions.bash.parts import SAFE_VARIABLES, Part
from toolaudit.shell.reading import Reading, Redirect, Shape, Word
from toolaudit.shell.wrappers import OPAQUE, TRANSPARENT

MAX_LENGTH = 10_000
"""Characters; the client's own parser gives up beyond this (documents, 2.5.3; measured)."""

CONTEXTS: Mapping[str, str] = MappingProxyType(
    {
        "subshell": "a subshell",
        "group": "a group in braces",
        "case": "a case statement",
        "function": "a function definition",
        "process-substitution": "a command used as a file",
        "select": "a select loop",
        "c-for": "a counting for loop",
        "arithmetic-command": "a group in double parentheses",
    }
)
"""Constructs whose commands are seen by deny rules only."""

COMPOUNDS = frozenset({"for", "if", "while"})
"""Constructs the client looks into."""

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

EVALUATORS = frozenset(
    """
    . alias bind complete coproc enable eval exec hash let mapfile nocorrect readarray source trap
    """.split()
)
"""Builtins that evaluate their arguments as shell code."""

ZSH_BUILTINS = frozenset(
    """
    autoload emulate functions setopt shopt syswrite sysopen sysread sysseek unsetopt vared zcompile zf_chgrp zf_chmod
    zf_chown zf_ln zf_mkdir zf_mv zf_rm zf_rmdir zmodload zpty zsocket zstyle ztcp mapfile
    """.split()
)
"""Names that are builtins of zsh, which may be the shell that runs the command, or bash's own switchboard."""

STARTERS = frozenset(OPAQUE) - {"exec", "nocorrect"} | {"nsenter"}
"""Programs whose started command can't be told from their words."""

INERT_VARIABLES = frozenset(
    """
    # $ - ? BASHPID BASH_VERSION EUID HOME HOSTNAME IFS LINENO LOGNAME OLDPWD PATH PPID PWD RANDOM SECONDS SHELL SHLVL
    TMPDIR UID USER
    """.split()
)
"""Variables whose value the client takes for text where they stand in double quotes among other text (measured)."""

TESTS = frozenset({"[", "[[", "test"})
COMPARISONS = frozenset({"-eq", "-ne", "-lt", "-le", "-gt", "-ge"})
"""Operators whose operands `[[` evaluates as arithmetic, which may run commands."""

_NAME = re.compile(r"[A-Za-z_]")
_NUMBER = re.compile(r"[+-]?\d+")
_UNICODE_BLANK = re.compile("[\u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff]")
_ESCAPED_BLANK = re.compile(r"\\[ \t]")
_GLUED_CONTINUATION = re.compile(r"(?:\A|[^ \t\\])(?:\\\\)*\\\n")
_HIDDEN_LINE = re.compile(r"\n[ \t]*#")
_BRACED_QUOTE = re.compile(r"""\{[^}]*["']""")

Check = Callable[[Reading, tuple[Part, ...]], str | None]


def refuse(reading: Reading, parts: tuple[Part, ...]) -> str | None:
    """Why the client will not look into this command, or None where it will."""
    for check in CHECKS:
        why = check(reading, parts)
        if why is not None:
            return why
    return None


def _length(reading: Reading, parts: tuple[Part, ...]) -> str | None:
    return f"the command is longer than {MAX_LENGTH} characters" if len(reading.text) > MAX_LENGTH else None


def _blanks(reading: Reading, parts: tuple[Part, ...]) -> str | None:
    return "the command holds Unicode white space" if _UNICODE_BLANK.search(reading.text) else None


def _continuations(reading: Reading, parts: tuple[Part, ...]) -> str | None:
    if "\\\n" in reading.text and _GLUED_CONTINUATION.search(_QUOTED.sub("", reading.text)):
        return "a continued line without a blank before it can't be checked"
    return None


def _unreadable(reading: Reading, parts: tuple[Part, ...]) -> str | None:
    complexity = reading.complexity
    return f"the command can't be read: {complexity.reason}" if complexity is not None and not reading.exact else None


def _context(reading: Reading, parts: tuple[Part, ...]) -> str | None:
    looped = False
    for command in reading.commands:
        for place in command.context:
            if place in CONTEXTS:
                return f"{CONTEXTS[place]} can't be checked before it runs"
        if not command.argv:
            looped = looped or "for" in command.context
            if command.redirects and COMPOUNDS.intersection(command.context):
                return "a redirection of a compound command can't be checked before it runs"
            if len(command.assignments) > 1 and not COMPOUNDS.intersection(command.context):
                return "several assignments in one command can't be checked before it runs"
        elif "for" in command.context and not looped:
            return "a loop without a list of words can't be checked before it runs"
    return None


def _words(reading: Reading, parts: tuple[Part, ...]) -> str | None:
    for command in reading.commands:
        for word in command.argv:
            why = _word(word)
            if why is not None:
                return why
        for redirect in command.redirects:
            why = _redirect(redirect, reading)
            if why is not None:
                return why
        for assignment in command.assignments:
            if assignment.value is not None:
                why = _assigned(assignment.value)
                if why is not None:
                    return why
    return None


def _word(word: Word) -> str | None:
    if not word.features and word.text == word.value:
        if word.text.startswith("=") and word.text.strip("=~"):
            return "a word that zsh expands can't be checked before it runs"
        return "a lone dollar sign can't be checked before it runs" if "$" in word.text else None
    for feature in word.features:
        if feature in FEATURES:
            return f"{FEATURES[feature]} can't be checked before it runs"
    if "variable" in word.features or "command-substitution" in word.features or "arithmetic" in word.features:
        why = _dynamic(word)
        if why is not None:
            return why
    if word.shape is not Shape.STATIC and word.text.startswith(("-", '"-', "'-")) and not _only_glob(word):
        return "an option that is only known at run time can't be checked"
    if ("escape" in word.features and _ESCAPED_BLANK.search(_unquoted_text(word.text))) or (
        "\\\n" in word.text and "'" not in word.text
    ):
        return "an escaped blank can't be checked before it runs"
    if "{" in word.text and _BRACED_QUOTE.search(_unquoted_text(word.text, mark='"')):
        return "a brace with a quote in it can't be checked before it runs"
    if word.text[:1] in "\"'" and _HIDDEN_LINE.search(word.text):
        return "a line that begins with # inside quotes can hide arguments"
    return None


def _assigned(word: Word) -> str | None:
    if word.text.startswith("~"):
        return "a tilde in an assigned value may be expanded"
    if "command-substitution" in word.features and '"' not in word.text:
        return None
    return _word(word)


def _redirect(redirect: Redirect, reading: Reading) -> str | None:
    if redirect.operator in ("<<", "<<-"):
        source = reading.text.encode("utf-8", "surrogatepass")
        end = redirect.span[1]
        if source[end - 1 : end] not in (b"'", b'"'):
            return "a here-document with an unquoted delimiter undergoes expansion"
        if source[end:].partition(b"\n")[0].strip():
            return "text after the start of a here-document can't be checked"
        return "a brace with a quote in it can't be checked" if _BRACED_QUOTE.search(redirect.target.text) else None
    if redirect.operator == "<>":
        return "this redirection can't be checked before it runs"
    if redirect.operator in (">&", "<&") and (redirect.target.value or "").endswith("-"):
        return "closing a descriptor can't be checked before it runs"
    return _word(redirect.target)


_QUOTED = re.compile(r"""'[^']*'|"(?:[^"\\]|\\.)*\"""", re.DOTALL)
_SPELLED_OUT = re.compile(r"""\$\(cat <<[ \t]*(['"])(\w+)\1\n(?:[^\n]*\n)*?\2\n[ \t]*\)""")
"""`$(cat <<'EOF' …)`: its output is its text."""

_SUBSTITUTION = re.compile(r"\$\((?!\()[^()]*(?:\([^()]*\)[^()]*)*\)|`[^`]*`")
_ARITHMETIC = re.compile(r"\$\(\([^()]*\)\)")
_VARIABLE = re.compile(r"\$([A-Za-z_]\w*|[#$?!@*0-9-])")
_ESCAPE = re.compile(r"""\\([$`"\\])""")
_MIN_TEXT = 2


def _unquoted_text(text: str, mark: str = "") -> str:
    """`text` without its quoted stretches, each of which leaves `mark` behind."""
    return _QUOTED.sub(mark, text)


def _dynamic(word: Word) -> str | None:
    """Why a word with a part that is only known at run time is refused.

    In double quotes, substitutions and a few variables count as text where at least two characters stand beside them;
    the home directory counts as text anywhere.
    """
    if any(_NAME.search(arithmetic) for arithmetic in _ARITHMETIC.findall(word.text)):
        return "arithmetic with names can't be checked before it runs"
    text = _SPELLED_OUT.sub("text", word.text).replace("$HOME", "/home")
    bare = _unquoted_text(text)
    if _SUBSTITUTION.search(bare) or "`" in bare:
        return "a nested command can't be checked before it runs"
    if _VARIABLE.search(_ESCAPE.sub("", bare)):
        return "a variable can't be checked before it runs"
    for quoted in _QUOTED.findall(text):
        if quoted.startswith("'"):
            continue
        literal = _ESCAPE.sub("x", quoted[1:-1])
        rest = _SUBSTITUTION.sub("", _ARITHMETIC.sub("", literal))
        names = _VARIABLE.findall(rest)
        if not all(name in INERT_VARIABLES for name in names):
            return "a variable can't be checked before it runs"
        rest = _VARIABLE.sub("", rest)
        if rest != literal and len(rest) < _MIN_TEXT:
            return "quoted text that is only known at run time can't be checked"
    return None


def _only_glob(word: Word) -> bool:
    return word.features <= {"glob", "escape", "single-quote", "double-quote"}


def _programs(reading: Reading, parts: tuple[Part, ...]) -> str | None:
    for part in parts:
        name = part.program
        if name is None:
            if part.words[0].features <= {"glob", "escape"}:
                continue
            return "a command name that is only known at run time can't be checked"
        if name in EVALUATORS:
            return f"{name} evaluates its arguments as shell code"
        if name in ZSH_BUILTINS or name.startswith("zf_"):
            return f"the shell builtin {name} can bypass checks"
        if name in STARTERS:
            return f"what {name} starts can't be checked before it runs"
        if name in TESTS and any(
            _is_odd_operand(before, operator, after) for before, operator, after in _triples(part)
        ):
            return "an arithmetic comparison of what is no number can't be checked before it runs"
        if name.startswith("(("):
            return "a group in double parentheses can't be checked before it runs"
        if name.startswith("-"):
            return "the command begins with an option, as a fragment does"
        outer = part.command.argv[0].value
        if outer in TRANSPARENT and outer == name and outer != "xargs" and len(part.words) > 1:
            second = part.words[1].value or ""
            if second.startswith("-") and not (name == "command" and second in ("-v", "-V")):
                return f"{name} with {second} can't be checked before it runs"
    return None


def _triples(part: Part) -> Iterator[tuple[str, str, str]]:
    texts = [word.value if word.value is not None else word.text for word in part.words]
    return zip(texts, texts[1:], texts[2:], strict=False)


def _is_odd_operand(before: str, operator: str, after: str) -> bool:
    return operator in COMPARISONS and not (_NUMBER.fullmatch(before) and _NUMBER.fullmatch(after))


CHECKS: tuple[Check, ...] = (_length, _blanks, _continuations, _unreadable, _context, _words, _programs)


STAYING_VARIABLES = SAFE_VARIABLES - {"LANGUAGE", "LC_TIME"}
"""Safe variables that may also be set for the commands that follow (measured)."""


def variables_set(reading: Reading) -> bool:
    """Whether the text sets a variable that later commands could see and that is not safe to set.

    An assignment before a command is that command's own; a bare one and a loop variable stay.
    """
    for command in reading.commands:
        if not command.argv and any(assignment.name not in STAYING_VARIABLES for assignment in command.assignments):
            return True
    return any("for" in command.context for command in reading.commands)
