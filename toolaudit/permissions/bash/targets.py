"""What makes the target of a removal critical.

The root and its children, the home directory, the working directory and what is above it; everything in one of these,
however many stars deep; what becomes one of them where a variable or a command's output is empty; and patterns whose
directory can't be told. A quoted star counts like any other.
Sources: documents, 8; every form measured in the mode that allows all else.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence

from toolaudit.model.versions import Difference, Version
from toolaudit.model.workspace import Workspace
from toolaudit.patterns import late
from toolaudit.permissions.bash.quoting import PLACEHOLDER
from toolaudit.permissions.bash.values import expand, plain
from toolaudit.shell import Word
from toolaudit.structs import Struct

TOP_LEVEL = frozenset(
    """
    Applications Library System Users Volumes bin boot cores dev etc home lib lib32 lib64 media mnt opt private proc
    root run sbin srv sys tmp usr var
    """.split()
)
"""Names of ordinary root directories: an empty variable before `/NAME` makes the target one of them."""

_VARIABLE_ROOT = late(r"""["']?\$(?:\{\w+\}|\w+|[@*#?!$-])["']?(/.*)?["']?\Z""", re.DOTALL)
_LATER = late(r"""\$(?:\{\w+\}|\w+|[@*#?!$-])""")
_SUBSTITUTION = late(r"\$\([^()]*(?:\([^()]*\)[^()]*)*\)|`[^`]*`")


class Place(Struct):
    """Where and how a command removes."""

    workspace: Workspace
    version: Version
    recursive: bool
    moved: bool
    """The text changed directory before."""
    values: Mapping[str, str]
    """The variables whose values are known."""


def critical(word: Word, place: Place) -> str | None:
    """Why the target is critical, or None."""
    if not word.features.isdisjoint({"variable", "expansion"}):
        text = expand(word.text, place.values)
        return _under_variable(word.text, place) if text is None else _path(text, place)
    if "command-substitution" in word.features:
        return _output(plain(_SUBSTITUTION.sub(PLACEHOLDER, word.text)), place)
    return _path(word.value if word.value is not None else plain(word.text), place)


def _path(text: str, place: Place) -> str | None:
    if text.strip("\\") == "" and text:
        return "a target of backslashes"
    workspace = place.workspace
    if text == "~" or text.startswith("~/"):
        text = workspace.home + text[1:]
    if place.moved and not text.startswith("/"):
        return "a target that depends on a directory change" if _leaves(text) else None
    path = posixpath.normpath(posixpath.join(workspace.cwd, text))
    names = [name for name in path.split("/") if name]
    stars = _trailing_stars(names)
    base = "/" + "/".join(names[: len(names) - stars])
    if posixpath.dirname(base) == "/" or base == workspace.home:
        return "everything in a critical directory" if stars else "a critical path"
    if _is_above(base, workspace.cwd):
        return "everything in a critical directory" if stars else "the working directory or its ancestor"
    unclear = stars > 1 or ".." in text.split("/") or text.startswith("~")
    return "a pattern whose directory can't be told" if stars and unclear else None


def _trailing_stars(names: Sequence[str]) -> int:
    """How many of the last names of a path are stars alone."""
    return next((at for at, name in enumerate(reversed(names)) if set(name) != {"*"}), len(names))


def _leaves(text: str) -> bool:
    names = [name for name in text.split("/") if name not in ("", ".")]
    return not names or names[-1] == ".." or _trailing_stars(names) > 0


def _is_above(path: str, cwd: str) -> bool:
    return cwd == path or cwd.startswith(path.rstrip("/") + "/")


def _under_variable(text: str, place: Place) -> str | None:
    """The target is a variable and a path under it: the variable may be empty, and what else in it is not known."""
    match = _VARIABLE_ROOT.match(text)
    if match is None or match[1] is None:
        return None
    rest = plain(_LATER.sub("", _SUBSTITUTION.sub("", match[1])))
    names = [name for name in rest.split("/") if name]
    left = names[: len(names) - _trailing_stars(names)]
    named = len(left) == 1 and left[0] in TOP_LEVEL and place.version.has(Difference.REMOVAL_UNDER_VARIABLE)
    return "a path under a variable that may be empty" if not left or named else None


def _output(text: str, place: Place) -> str | None:
    """The target holds what a command prints, marked by placeholders."""
    before, _, rest = text.partition(PLACEHOLDER)
    if before:
        why = _path(before, place) if before.endswith("/") else None
        return why and f"what is left of it when the command prints nothing, {why}"
    if not place.version.has(Difference.REMOVAL_OF_OUTPUT):
        return None
    names = [name for name in rest.replace(PLACEHOLDER, "").split("/") if name not in ("", ".")]
    if ".." in names:
        return _path(f"x{rest}", place)
    return "a command's output" if place.recursive and len(names) == _trailing_stars(names) else None
