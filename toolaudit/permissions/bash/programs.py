"""Programs and builtins that the client refuses to look into, for their name or for what they are given.

Every row is measured.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

from toolaudit.patterns import late
from toolaudit.permissions.bash.parts import Part
from toolaudit.permissions.bash.variables import INFLUENTIAL_VARIABLES
from toolaudit.shell.reading import Word
from toolaudit.shell.wrappers import OPAQUE, TRANSPARENT

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

STARTERS = frozenset(OPAQUE) - {"exec", "nocorrect"}
"""Programs whose started command can't be told from their words."""

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

_VARIABLE_NAME = late(r"[A-Za-z_]\w*")
_EXPORTED = late(r"[A-Za-z_]\w*(?:\+?=.*)?", re.DOTALL)
_NUMBER = late(r"[+-]?\d+")


def refused(parts: Sequence[Part]) -> str | None:
    """Why one of `parts` is refused, or None."""
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
        if name.rpartition("/")[2] == "env" and (why := _env(part.words)) is not None:
            return why
        if name in STARTERS:
            return f"what {name} starts can't be checked before it runs"
        if name in TESTS and any(
            _is_odd_operand(before, operator, after) for before, operator, after in _triples(part)
        ):
            return "a condition that evaluates its operand can't be checked before it runs"
        if name.startswith("-"):
            return "the command begins with an option, as a fragment does"
        outer = part.command.argv[0].value
        if outer in TRANSPARENT and outer == name and outer != "xargs" and len(part.words) > 1:
            second = part.words[1].value or ""
            if second.startswith("-") and not (name == "command" and second in ("-v", "-V")):
                return f"{name} with {second} can't be checked before it runs"
    return None


def _env(words: Sequence[Word]) -> str | None:
    """Options of `env` other than these three the client does not follow (measured)."""
    named = False
    for word in words[1:]:
        text = word.value if word.value is not None else word.text
        if named:
            named = False
        elif text == "-u":
            named = True
        elif text.startswith("-") and text not in ("-i", "-0", "-v"):
            return f"env with {text} can't be checked before it runs"
        elif not text.startswith("-") and "=" not in text:
            return None
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
        elif word.text.startswith("IFS="):
            return "what separates words is changed for what follows"
    return None


def _jobs(words: Sequence[Word]) -> str | None:
    return "what jobs -x starts can't be checked before it runs" if any(w.value == "-x" for w in words[1:]) else None


def _evaluating(words: Sequence[Word]) -> str | None:
    name = words[0].value or ""
    flag = next((word.value for word in words[1:] if word.value in EVALUATING_OPTIONS[name]), None)
    return f"{name} {flag} evaluates its arguments as shell code" if flag is not None else None


def _number(words: Sequence[Word]) -> str | None:
    """zsh's `integer` and `float` evaluate what a variable is set to."""
    named = any(not word.text.startswith("-") for word in words[1:])
    return f"{words[0].value} may evaluate its operand" if named else None


def _cd(words: Sequence[Word]) -> str | None:
    operands = [word for word in words[1:] if not (word.value or "").startswith("-")]
    return "cd with several directories can't be checked" if len(operands) > 1 else None


OPTIONS: Mapping[str, Callable[[Sequence[Word]], str | None]] = MappingProxyType(
    {"set": _set, "unset": _unset, "declare": _declare, "typeset": _declare, "local": _declare, "readonly": _declare}
    | {"export": _export, "jobs": _jobs, "cd": _cd, "fc": _evaluating, "compgen": _evaluating}
    | {"integer": _number, "float": _number}
)
"""Builtins some of whose arguments the client refuses."""


def _triples(part: Part) -> Iterator[tuple[str, str, str]]:
    texts = [word.value if word.value is not None else word.text for word in part.words]
    return zip(texts, texts[1:], texts[2:], strict=False)


def _is_odd_operand(before: str, operator: str, after: str) -> bool:
    if operator == "-v" and "[" in after:
        return True
    return operator in COMPARISONS and not (_NUMBER.fullmatch(before) and _NUMBER.fullmatch(after))
