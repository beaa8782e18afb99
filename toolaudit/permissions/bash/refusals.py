"""What the client says it can't check before it runs: such a command is never allowed part by part.

The reader may understand more than the client looks into; this module says which of the understood shapes the client
refuses all the same. Only the whole text can allow a refused command: a bare `Bash` rule, or a rule that spells it out.
Every row is measured.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import zip_longest
from types import MappingProxyType

from toolaudit.patterns import late
from toolaudit.permissions.bash.parts import Part
from toolaudit.permissions.bash.quoting import PLACEHOLDER, split
from toolaudit.permissions.bash.variables import STAYING_VARIABLES
from toolaudit.shell.reading import Reading, Redirect, Shape, SimpleCommand, Word
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

EVALUATING_OPTIONS: Mapping[str, frozenset[str]] = MappingProxyType(
    {"fc": frozenset({"-s", "-e"}), "compgen": frozenset({"-C", "-F", "-W"})}
)
"""Builtin -> the options with which it evaluates its arguments as shell code."""

SAFE_SET_LETTERS = frozenset("CEPTbefhmnouvx")
UNSAFE_SHELL_OPTIONS = frozenset({"allexport", "posix", "keyword", "braceexpand", "histexpand", "onecmd", "privileged"})
SAFE_DECLARE_LETTERS = frozenset("Ffprtx")
READONLY_LETTERS = SAFE_DECLARE_LETTERS | {"a"}
INFLUENTIAL_VARIABLES = frozenset("BASH_ENV ENV HOME IFS LD_LIBRARY_PATH LD_PRELOAD PATH PS4 SHELL".split())

_VARIABLE_NAME = late(r"[A-Za-z_]\w*")
_EXPORTED = late(r"[A-Za-z_]\w*(?:\+?=.*)?", re.DOTALL)
_NAME = late(r"[A-Za-z_]")
_NUMBER = late(r"[+-]?\d+")
_UNICODE_BLANK = late("[\u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff]")
_ZSH_COMMAND = late(r"=[A-Za-z_]")
_ESCAPED_BLANK = late(r"\\[ \t]")
_GLUED_CONTINUATION = late(r"(?:\A|[^ \t\\])(?:\\\\)*\\\n")
_HIDDEN_LINE = late(r"\n[ \t]*#")
_ALTERNATIVES = late(r"\{[^{}]*(?:,|\.\.)[^{}]*\}")
BRACED_QUOTE = late(r"""\{[^}]*["']""")

Check = Callable[[Reading, tuple[Part, ...]], str | None]


def refuse(reading: Reading, parts: tuple[Part, ...], checks: tuple[Check, ...] | None = None) -> str | None:
    """Why the client will not look into this command, or None where it will; `checks` are all of them by default."""
    for check in CHECKS if checks is None else checks:
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


def _substitutions(reading: Reading, parts: tuple[Part, ...]) -> str | None:
    """What the client refuses inside `$( )`: a redirection alone, and statements parted by a semicolon."""
    source = reading.text.encode("utf-8", "surrogatepass")
    before: SimpleCommand | None = None
    for command in reading.commands:
        if "command-substitution" in command.context:
            if not command.argv and command.redirects:
                return "a redirection alone can't be checked before it runs"
            if before is not None and source[before.span[1] : command.span[0]].strip() == b";":
                return "several statements in a nested command can't be checked before it runs"
            before = command
    return None


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
            if command.assignments and "pipeline" in command.context:
                return "a variable set in a pipeline can't be checked before it runs"
            if len(command.assignments) > 1 and not COMPOUNDS.intersection(command.context):
                return "several assignments in one command can't be checked before it runs"
        elif "for" in command.context and not looped:
            return "a loop without a list of words can't be checked before it runs"
    return None


def _words(reading: Reading, parts: tuple[Part, ...]) -> str | None:
    for command in reading.commands:
        if command.redirects and swallows(command):
            return "words behind a redirection can't be checked"
        if any(word.text == "=" for word in command.argv[1:]) and command.argv[0].text not in ("[", "[["):
            return "a lone equals sign can't be parsed"
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


def swallows(command: SimpleCommand) -> bool:
    """Whether a word stands behind a redirection that takes a file or a descriptor."""
    ends = [redirect.span[1] for redirect in command.redirects if redirect.operator not in ("<<", "<<-", "<<<")]
    inner = [end for end in ends if command.argv and command.argv[0].span[0] < end]
    return bool(inner) and min(inner) < command.argv[-1].span[0]


def _word(word: Word) -> str | None:
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
    why = misleading(word)
    if why is not None:
        return why
    if word.text[:1] in "\"'" and _HIDDEN_LINE.search(_SPELLED_OUT.sub("", word.text)):
        return "a line that begins with # inside quotes can hide arguments"
    return None


def misleading(word: Word) -> str | None:
    """Why the way a word is written may hide what it is: the client looks for this before it reads anything."""
    if ("escape" in word.features and _ESCAPED_BLANK.search(_unquoted_text(word.text))) or (
        "\\\n" in word.text and "'" not in word.text
    ):
        return "an escaped blank can't be checked before it runs"
    if "{" in word.text and BRACED_QUOTE.search(_unquoted_text(word.text, mark='"')):
        return "a brace with a quote in it can't be checked before it runs"
    return None


def _assigned(word: Word) -> str | None:
    if "~" in (word.text if word.value is None else word.value):
        return "a tilde in an assigned value may be expanded"
    if _ALTERNATIVES.search(word.text) and not word.features:
        return "a brace expansion can't be checked before it runs"
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
        return "a brace with a quote in it can't be checked" if BRACED_QUOTE.search(redirect.target.text) else None
    if redirect.operator == "<>":
        return "this redirection can't be checked before it runs"
    if redirect.operator in (">&", "<&") and (redirect.target.value or "").endswith("-"):
        return "closing a descriptor can't be checked before it runs"
    if "command-substitution" in redirect.target.features and redirect.operator != "<<<":
        return "a redirection target that is only known at run time can't be checked"
    return _word(redirect.target)


_QUOTED = late(r"""'[^']*'|"(?:[^"\\]|\\.)*\"""", re.DOTALL)
_SPELLED_OUT = late(r"""\$\(cat <<[ \t]*(['"])(\w+)\1\n(?:[^\n]*\n)*?\2\n[ \t]*\)""")
"""`$(cat <<'EOF' …)`: its output is its text."""

_SPELLED = "\1"
"""Stands for such a text while a word is taken apart."""

_ARITHMETIC = late(r"\$\(\([^()]*\)\)")
_VARIABLE = late(r"\$([A-Za-z_]\w*|[#$?!@*0-9-])")
_ESCAPE = late(r"""\\([$`"\\])""")
_HOME = late(r"\$HOME\b")
_MIN_TEXT = 2


def _unquoted_text(text: str, mark: str = "") -> str:
    """`text` without its quoted stretches, each of which leaves `mark` behind."""
    return _QUOTED.sub(mark, text)


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


def _programs(reading: Reading, parts: tuple[Part, ...]) -> str | None:
    for part in parts:
        name = part.program
        if not part.words:
            continue
        if name is None:
            if part.words[0].features <= {"glob", "escape", "tilde"}:
                continue
            return "a command name that is only known at run time can't be checked"
        if name in EVALUATORS:
            return f"{name} evaluates its arguments as shell code"
        if name in ZSH_BUILTINS or name.startswith("zf_"):
            return f"the shell builtin {name} can bypass checks"
        if name in OPTIONS and (why := OPTIONS[name](part.words)) is not None:
            return why
        if name in STARTERS:
            return f"what {name} starts can't be checked before it runs"
        if name in TESTS and any(
            _is_odd_operand(before, operator, after) for before, operator, after in _triples(part)
        ):
            return "a condition that evaluates its operand can't be checked before it runs"
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


def _set(words: Sequence[Word]) -> str | None:
    named = False
    for word in words[1:]:
        text = word.value or ""
        if named:
            named = False
            if text in UNSAFE_SHELL_OPTIONS:
                return f"the shell option {text} changes how commands are read"
        elif text == "--":
            return None
        elif text[:1] in ("-", "+"):
            named = text.endswith("o")
            if not SAFE_SET_LETTERS.issuperset(text[1:]):
                return f"set {text} changes how commands are read"
    return None


def _unset(words: Sequence[Word]) -> str | None:
    for word in words[1:]:
        text = word.text
        if text.startswith("-") and text in ("-v", "-f"):
            continue
        if _VARIABLE_NAME.fullmatch(text) is None or text in INFLUENTIAL_VARIABLES:
            return f"unset {text} can't be checked before it runs"
    return None


def _declare(words: Sequence[Word]) -> str | None:
    for word in words[1:]:
        text = word.value if word.value is not None else word.text
        letters = READONLY_LETTERS if words[0].value == "readonly" else SAFE_DECLARE_LETTERS
        if text[:1] in ("-", "+") and not letters.issuperset(text[1:]):
            return f"{words[0].value} {text} changes what an assignment means"
        if "F" in text and text[:1] == "-" and word is not words[-1]:
            return f"{words[0].value} {text} may evaluate its operand"
    return None


def _export(words: Sequence[Word]) -> str | None:
    for word in words[1:]:
        text = word.value if word.value is not None else word.text
        if text[:1] == "-":
            unset = text == "-n" and any("=" in other.text for other in words[1:])
            if unset or text not in ("-n", "-f", "-p"):
                return f"export {text} can't be checked before it runs"
        elif _VARIABLE_NAME.match(text) is None or not _EXPORTED.fullmatch(text):
            return f"export {text} can't be checked before it runs"
        elif word.text.partition("=")[2].startswith("~"):
            return "a tilde in an assigned value may be expanded"
    return None


def _jobs(words: Sequence[Word]) -> str | None:
    return "what jobs -x starts can't be checked before it runs" if any(w.value == "-x" for w in words[1:]) else None


def _evaluating(words: Sequence[Word]) -> str | None:
    name = words[0].value or ""
    flag = next((word.value for word in words[1:] if word.value in EVALUATING_OPTIONS[name]), None)
    return f"{name} {flag} evaluates its arguments as shell code" if flag is not None else None


def _cd(words: Sequence[Word]) -> str | None:
    operands = [word for word in words[1:] if not (word.value or "").startswith("-")]
    return "cd with several directories can't be checked" if len(operands) > 1 else None


OPTIONS: Mapping[str, Callable[[Sequence[Word]], str | None]] = MappingProxyType(
    {"set": _set, "unset": _unset, "declare": _declare, "typeset": _declare, "local": _declare, "readonly": _declare}
    | {"export": _export, "jobs": _jobs, "cd": _cd, "fc": _evaluating, "compgen": _evaluating}
)
"""Builtins some of whose arguments the client refuses."""


def _triples(part: Part) -> Iterator[tuple[str, str, str]]:
    texts = [word.value if word.value is not None else word.text for word in part.words]
    return zip(texts, texts[1:], texts[2:], strict=False)


def _is_odd_operand(before: str, operator: str, after: str) -> bool:
    if operator == "-v" and "[" in after:
        return True
    return operator in COMPARISONS and not (_NUMBER.fullmatch(before) and _NUMBER.fullmatch(after))


TEXT_CHECKS: tuple[Check, ...] = (_length, _blanks, _continuations, _unreadable)
PROGRAM_CHECKS: tuple[Check, ...] = (_programs,)
CHECKS: tuple[Check, ...] = (*TEXT_CHECKS, _context, _substitutions, _words, *PROGRAM_CHECKS)


def variables_set(reading: Reading) -> bool:
    """Whether the text sets a variable that later commands could see and that is not safe to set.

    An assignment before a command is that command's own; a bare one and a loop variable stay.
    """
    for command in reading.commands:
        if not command.argv:
            listless = "for" in command.context and not command.assignments and not command.redirects
            if listless or any(assignment.name not in STAYING_VARIABLES for assignment in command.assignments):
                return True
        elif _sets(command.argv):
            return True
    return False


GUARDED_VARIABLES = INFLUENTIAL_VARIABLES - {"PS4"} | {"CDPATH", "LANG"}
GUARDED_PREFIXES = ("LD_", "DYLD_")
"""Variables that an older client let nobody set (measured); it let a rule for what follows allow the others."""


def guarded_variable_set(reading: Reading) -> bool:
    """Whether the text sets a variable, for what follows, that changes what programs are or do."""
    return any(
        "[" in assignment.name or assignment.name in GUARDED_VARIABLES or assignment.name.startswith(GUARDED_PREFIXES)
        for command in reading.commands
        if not command.argv
        for assignment in command.assignments
    )


SETTERS = frozenset({"declare", "typeset", "local", "readonly"})
NAMING_OPTIONS: Mapping[str | None, str] = MappingProxyType({"printf": "-v", "wait": "-p"})
"""Builtin -> its option that names a variable to set."""


def _sets(words: Sequence[Word]) -> bool:
    """Whether a builtin sets a variable that is not safe to set: `export` counts as its own command (measured)."""
    name = words[0].value
    operands = [word.text for word in words[1:] if not word.text.startswith("-")]
    if name in SETTERS:
        names = [operand.partition("=")[0] for operand in operands if "=" in operand]
    elif name == "read":
        names = operands
    elif name == "getopts":
        names = operands[1:2]
    elif name in NAMING_OPTIONS:
        names = list(_named_by_option(words, NAMING_OPTIONS[name]))
    else:
        return False
    return not STAYING_VARIABLES.issuperset(names)


def _named_by_option(words: Sequence[Word], option: str) -> Iterator[str]:
    """What the options before the first operand name as the variable to set."""
    for word, following in zip_longest(words[1:], words[2:]):
        text = word.value or ""
        if not text.startswith("-") or text == "--":
            return
        if text == option:
            yield following.text if following is not None else ""
            return
        if text.startswith(option):
            yield text.removeprefix(option)
            return
