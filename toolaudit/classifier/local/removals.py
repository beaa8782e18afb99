"""What a command removes, and whether it can be had again."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from toolaudit.classifier.local.concern import Concern
from toolaudit.classifier.local.context import Context
from toolaudit.classifier.local.starts import MADE_HERE, Start, Text, resolved
from toolaudit.patterns import late

_REMOVERS: Final = frozenset(
    {
        "rm",
        "rmdir",
        "shred",
        "unlink",
        "truncate",
        "srm",
        "trash",
        "remove-item",
        "ri",
        "del",
        "erase",
        "rd",
        "clear-content",
    }
)

MADE_AGAIN: Final = frozenset(
    """
    .cache .eggs .gradle .mypy_cache .next .nuxt .nyc_output .parcel-cache .pytest_cache .ruff_cache .tox .turbo .venv
    __pycache__ _build _site bower_components build cmake-build-debug coverage dist htmlcov node_modules obj out target
    tmp temp venv
    """.split()
)
"""Names of folders that tools fill and fill again."""

_LEFTOVER = late(
    r".*\.(?:pyc|pyo|o|obj|class|log|tmp|swp|bak~?|egg-info|tsbuildinfo|coverage)|\.coverage|coverage\.\w+|"
    r"junit[\w.-]*\.xml|.*\.(?:pid|prof|lcov)|nohup\.out|\.DS_Store"
)
_CHOOSING: Final = frozenset({"-include", "-filter"})
_PIPED: Final = frozenset({"remove-item", "ri", "clear-content"})
"""Programs that remove what they are piped."""
_SIZE = late(r"[+<>/%-]?\d+[kKMGTP]?i?B?")
_NAMED = late(r"[\w./-]*\*\.?[\w.-]{2,}")
"""A pattern that says which files are meant."""
_GLOB = late(r"[*?\[]")
_ASKED: Final = (frozenset("clean delete drop erase move remove rm wipe".split()), frozenset({"{name}"}))


def find(text: Text, context: Context) -> Iterator[Concern]:
    """What speaks against the removals of a text."""
    for start in text.starts:
        if any(via.startswith(("ssh", "docker", "kubectl")) for via in start.via):
            yield from _elsewhere(start)
            continue
        own = context.made | context.made_before(start, text)
        targets = list(_targets(start))
        for target in targets:
            if target.endswith("bin") and any(other.rstrip("/").endswith("obj") for other in targets):
                continue  # What a build of .NET fills.
            yield from _removal(target, start, text.values, own, context)


def _elsewhere(start: Start) -> Iterator[Concern]:
    if start.program in _REMOVERS:
        yield Concern("destruction", f"it removes files on another machine: {' '.join(start.words)}", _ASKED)


def _targets(start: Start) -> Iterator[str]:
    words = start.words
    operands = [word for word in words[1:] if not word.startswith("-")]
    name = start.program
    if "find" in start.via and name in _REMOVERS:
        return  # the search that starts it says what
    if name == "git" and operands[:1] == ["rm"] and "--cached" not in words:
        yield from operands[1:]
    elif name in _REMOVERS:
        if name == "truncate":
            operands = [word for word in operands if _SIZE.fullmatch(word) is None]
        yield from operands
        if "xargs" in start.via:
            fed = [word for one in start.feeders for word in one.words[1:] if _NAMED.fullmatch(word)]
            yield from fed or ["*"]
        elif not operands and name in _PIPED:
            found = [
                word
                for one in start.feeders
                for at, word in enumerate(one.words)
                if one.words[at - 1].lower() in _CHOOSING
            ]
            folder = next((word for one in start.feeders for word in one.words[1:] if not word.startswith("-")), ".")
            folder = "." if folder in found else folder
            yield from [f"{folder}/{name}" for word in found for name in word.split(",") if name] or ["$input"]
    elif name == "mv" and len(operands) > 1 and operands[-1].startswith(("/", "~", "..", "$")):
        yield from (one for one in operands[:-1] if not one.startswith(("/tmp/", "/", "~")))
    elif name == "cp" and operands[:1] == ["/dev/null"]:
        yield from operands[1:]
    elif name in ("", ":", "true") or (name in ("echo", "printf") and not "".join(operands).strip()):
        yield from (target for operator, target in start.redirects if operator in (">", ">|") and target != "/dev/null")
    elif name == "find":
        exec_ = [words[at + 1] for at, word in enumerate(words[:-1]) if word in ("-exec", "-execdir", "-ok")]
        if "-delete" in words or any(one.rpartition("/")[2] in _REMOVERS for one in exec_):
            yield from _searched(words)
    elif name == "rsync" and any(word.startswith("--delete") for word in words):
        yield from operands[-1:]


def _searched(words: Sequence[str]) -> Iterator[str]:
    """What a `find` removes: below its folders what has one of its names, or everything."""
    folders = []
    for word in words[1:]:
        if word.startswith(("-", "(", "!")):
            break
        folders.append(word)
    names = [words[at + 1] for at, word in enumerate(words[:-1]) if word in ("-name", "-iname", "-path")]
    aged = any(word in ("-mtime", "-mmin", "-atime", "-ctime", "-size", "-newer") for word in words)
    for folder in folders or ["."]:
        yield from (f"{folder}/{name}" for name in names) if names and not aged else (f"{folder}/*",)


def _removal(
    spelled: str, start: Start, values: Mapping[str, str], own: frozenset[str], context: Context
) -> Iterator[Concern]:
    spelled = resolved(spelled, values).strip("\"'")
    if "$" in spelled.replace("$HOME", "") or "`" in spelled:
        yield Concern("destruction", f"what {spelled} is can't be told, and it is removed")
        return
    path = context.absolute(spelled, start.folder)
    folder, name = posixpath.split(path)
    if _is_own(path, own) or path.startswith(MADE_HERE):
        return
    subjects = frozenset({spelled.rstrip("/"), path, name, name.lstrip("*")}) - {""}
    text = " ".join(start.words)
    if _GLOB.search(spelled) and not context.inside(folder):
        yield Concern("destruction", f"{spelled} takes whatever is in a folder that others use", None, subjects, text)
    elif not context.inside(path):
        yield Concern("destruction", f"{spelled} is outside the working directories", _ASKED, subjects, text)
    elif path == context.question.cwd or name in (".git", ".", "..", "*"):
        if "xargs" in start.via and _small(start):
            return
        yield Concern("destruction", f"{spelled} is everything there is", _ASKED, subjects, text)
    elif "security" in path or any(word in name for word in ("auth", "access", "audit")):
        yield Concern("safety-bypass", f"{spelled} may guard access", _ASKED, subjects, text)
    elif not (_is_made_again(path, context) or _LEFTOVER.fullmatch(name)):
        yield Concern("destruction", f"{spelled} may have been there before the session", _ASKED, subjects, text)


def _small(start: Start) -> bool:
    """Whether what feeds the removal only finds what tools make again."""
    return any(any(word in MADE_AGAIN or _LEFTOVER.fullmatch(word) for word in one.words) for one in start.feeders)


def _is_made_again(path: str, context: Context) -> bool:
    below = path.removeprefix(context.question.cwd).strip("/").split("/")
    return any(part in MADE_AGAIN for part in below)


def _is_own(path: str, own: frozenset[str]) -> bool:
    return any(path == made or path.startswith(f"{made}/") for made in own if made.startswith("/"))
