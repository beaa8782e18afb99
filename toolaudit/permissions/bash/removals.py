"""Critical removals: what `rm` and `rmdir` may never take without a person's word.

The root and its children, the home directory, the working directory and what is above it, everything directly under
one of these, and targets that become one of them when a variable or a substitution is empty.
Sources: documents, 8; every form measured in the mode that allows all else.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence

from toolaudit.model import ReasonType
from toolaudit.model.versions import NEWEST, Difference, Version
from toolaudit.model.workspace import Workspace
from toolaudit.patterns import late
from toolaudit.permissions.bash.paths import HARMLESS, WRITES
from toolaudit.permissions.judgement import Objection
from toolaudit.shell import Reading, SimpleCommand, Word, read
from toolaudit.shell.wrappers import SEEN_BY_DENY, TRANSPARENT

PROGRAMS = frozenset({"rm", "rmdir"})
SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh"})
TOP_LEVEL = frozenset(
    """
    Applications Library System Users Volumes bin boot cores dev etc home lib lib32 lib64 media mnt opt private proc
    root run sbin srv sys tmp usr var
    """.split()
)
"""Names of ordinary root directories: an empty variable before `/NAME` makes the target one of them."""

_LOOKED_THROUGH = {name: wrapper for name, wrapper in TRANSPARENT.items() if name != "xargs"} | {
    "env": SEEN_BY_DENY["env"]
}
_VARIABLE_ROOT = late(r"""["']?\$(?:\{\w+\}|\w+|[@*#?!$-])["']?(/.*)?["']?\Z""", re.DOTALL)
_SUBSTITUTION = late(r"""["']?(?:\$\(|`).*(?:\)|`)["']?\Z""", re.DOTALL)
_BEFORE_SUBSTITUTION = late(r"""["']?([^"'$`]*/)["']?(?:\$\(|`)""")
_RECURSIVE = late(r"-[A-Za-z]*[rR]|--recursive\Z")
_MAX_SHELL_DEPTH = 3


def find(reading: Reading, workspace: Workspace, version: Version = NEWEST) -> Objection | None:
    """The first critical removal in the text, in any construct whose commands the client looks into."""
    for command, moved, values in _removals(reading, 0, version):
        if not version.has(Difference.REMOVAL_SEEN_ANYWHERE) and _is_hidden(command):
            continue
        words = _unwrapped(command.argv)
        name = _base(words[0]) or ""
        recursive = any(_RECURSIVE.match(word.value or "") for word in words[1:])
        for word in _targets(words):
            why = _critical(word, recursive, moved, values, workspace, version)
            if why is not None:
                piped = "pipeline" in command.context
                kind = ReasonType.SUBCOMMAND_RESULTS if piped else ReasonType.SAFETY_CHECK
                return Objection(f"{name} on {why}: {word.text}", kind, classifier_approvable=False)
    return None


def _is_hidden(command: SimpleCommand) -> bool:
    """Whether an older client did not see the command: in a subshell, or with a redirection to a file."""
    to_file = any(
        redirect.operator in WRITES and redirect.target.value not in HARMLESS for redirect in command.redirects
    )
    return to_file or "subshell" in command.context


def _removals(
    reading: Reading, depth: int, version: Version
) -> Iterator[tuple[SimpleCommand, bool, Mapping[str, Word]]]:
    """The commands that remove, whether the directory was changed before, and the variables set before."""
    moved = False
    values: dict[str, Word] = {}
    for command in reading.commands:
        if "function" in command.context:
            continue
        if not command.argv:
            if "for" in command.context:
                continue
            values |= {item.name: item.value for item in command.assignments if item.value is not None}
            continue
        words = _unwrapped(command.argv)
        name = _base(words[0])
        if name in PROGRAMS:
            yield command, moved, values
        elif name in ("cd", "pushd", "popd"):
            moved = True
        elif name in SHELLS and depth < _MAX_SHELL_DEPTH and version.has(Difference.REMOVAL_IN_SCRIPT):
            script = _script(words)
            if script is not None:
                yield from _removals(read(script), depth + 1, version)


def _unwrapped(words: Sequence[Word]) -> Sequence[Word]:
    for _ in range(8):
        wrapper = _LOOKED_THROUGH.get(words[0].value or "")
        start = wrapper.start(words) if wrapper else None
        if start is None:
            break
        words = words[start:]
    return words


def _base(word: Word) -> str | None:
    return word.value.rpartition("/")[2] if word.value is not None else None


def _script(words: Sequence[Word]) -> str | None:
    for at, word in enumerate(words[1:-1], start=1):
        if word.value is None or not word.value.startswith("-"):
            return None
        if word.value.endswith("c") and not word.value.startswith("--"):
            return words[at + 1].value
    return None


def _targets(words: Sequence[Word]) -> Iterator[Word]:
    options = True
    for word in words[1:]:
        if options and word.value == "--":
            options = False
        elif not (options and (word.value or "").startswith("-")):
            yield word


def _critical(
    word: Word, recursive: bool, moved: bool, values: Mapping[str, Word], workspace: Workspace, version: Version
) -> str | None:
    text = word.value if word.value is not None else word.text
    if "variable" in word.features or "expansion" in word.features:
        expanded = _expanded(word.text, values, workspace)
        if expanded is None:
            return _unknown_variable(word.text, recursive, values, version)
        text = expanded
    elif "command-substitution" in word.features:
        if _SUBSTITUTION.match(word.text) and not version.has(Difference.REMOVAL_OF_OUTPUT):
            return None
        return _unknown_substitution(word.text, recursive, workspace)
    elif word.value is None:
        text = _plain(word.text)
    return _critical_path(text, moved, workspace)


def _critical_path(text: str, moved: bool, workspace: Workspace) -> str | None:
    if text.strip("\\") == "" and text:
        return "a target of backslashes"
    if text == "~" or text.startswith("~/"):
        text = workspace.home + text[1:]
    relative = not text.startswith("/")
    if moved and relative:
        return "a target that depends on a directory change" if _leaves(text) else None
    path = posixpath.normpath(posixpath.join(workspace.cwd, text))
    if path.startswith("//"):
        path = path[1:]
    parent, name = posixpath.split(path)
    if name and set(name) == {"*"}:
        if parent == "/" or parent == workspace.home or _is_above(parent, workspace.cwd):
            return "everything in a critical directory"
        return None
    if path == "/" or parent == "/" or path == workspace.home:
        return "a critical path"
    if _is_above(path, workspace.cwd):
        return "the working directory or its ancestor"
    return None


def _leaves(text: str) -> bool:
    names = [name for name in text.split("/") if name not in ("", ".")]
    return not names or names[-1] == ".." or set(names[-1]) == {"*"}


def _is_above(path: str, cwd: str) -> bool:
    return cwd == path or cwd.startswith(path.rstrip("/") + "/")


def _plain(text: str) -> str:
    return re.sub(r"""["']|\\(?=.)""", "", text)


def _expanded(text: str, values: Mapping[str, Word], workspace: Workspace) -> str | None:
    """The text with variables that are known put in; None where one is not."""
    known = True

    def value(match: re.Match[str]) -> str:
        nonlocal known
        name = match[1] or match[2]
        if name == "HOME":
            return workspace.home
        word = values.get(name)
        if word is None or word.value is None:
            known = False
            return ""
        return word.value

    expanded = re.sub(r"\$(?:\{(\w+)\}|(\w+))", value, text)
    return _plain(expanded) if known and "$" not in expanded else None


def _unknown_variable(text: str, recursive: bool, values: Mapping[str, Word], version: Version) -> str | None:
    match = _VARIABLE_ROOT.match(text)
    if match is None:
        return None
    rest = _plain(match[1] or "").rstrip('"')
    if rest == "":
        name = re.sub(r"\W", "", text)
        word = values.get(name)
        if recursive and word is not None and "command-substitution" in word.features:
            return "a variable set from a command's output"
        return None
    top = rest.strip("/")
    named = top in TOP_LEVEL and version.has(Difference.REMOVAL_UNDER_VARIABLE)
    if rest == "/" or (top and set(top) == {"*"}) or named:
        return "a path under a variable that may be empty"
    return None


def _unknown_substitution(text: str, recursive: bool, workspace: Workspace) -> str | None:
    if _SUBSTITUTION.match(text):
        return "a command's output" if recursive else None
    before = _BEFORE_SUBSTITUTION.match(text)
    if before is None:
        return None
    why = _critical_path(before[1], False, workspace)
    return why and f"what is left of it when the command prints nothing, {why}"
