"""Packages that are installed: what the manifest names, what is well known, what the user named."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from toolaudit.classifier.local.concern import NAMED, Concern
from toolaudit.classifier.local.context import Context
from toolaudit.classifier.local.starts import Start
from toolaudit.classifier.local.table import lines
from toolaudit.patterns import late

_INSTALLS: Final = frozenset(
    {"install", "i", "in", "add", "a", "get", "require", "download", "reinstall", "uninstall", "remove"}
)
_REMOVES: Final = frozenset({"uninstall", "remove", "rm", "r", "un"})
_VALUED: Final = frozenset(
    "-r --requirement -c --constraint -e --editable -w --workspace --filter -F --group -G --features -p --package -E "
    "--extra --extras -C --dir --prefix --cwd --python -n --name -f --file --optional --platform --only "
    "--with --target "
    "-d --project --manifest-path --rename --directory".split()
)
_VERSION = late(r"(?:==|>=|<=|~=|!=|>|<|@(?!\w+/)|\[).*")


def find(start: Start, context: Context) -> Iterator[Concern]:
    """What about an installation is not known to be harmless."""
    removes = any(word in _REMOVES for word in start.words[1:3])
    for name in _operands(start):
        bare = _VERSION.sub("", name.strip("\"'")) if not name.startswith("@") else _scoped(name)
        if bare in ("", ".", "..") or bare.startswith(("./", "../")) or bare.endswith((".txt", ".toml")):
            continue
        if bare.lower() in well_known() and not removes and "@npm:" not in name:
            continue
        subjects = frozenset({bare, bare.rpartition("/")[2], bare.rpartition(":")[2]})
        why = f"{bare} is a package that nobody named{'' if removes else ' and that is not known'}"
        yield Concern("supply-chain", why, NAMED, subjects, " ".join(start.words), any_verb=True)


def _scoped(name: str) -> str:
    scope, slash, rest = name.partition("/")
    return f"{scope}{slash}{rest.partition('@')[0]}"


def _operands(start: Start) -> Iterator[str]:
    words = start.words
    at = next((at for at, word in enumerate(words) if at and word in _INSTALLS), None)
    if at is None:
        return
    at += 1
    if words[at : at + 1] == ("install",) or words[at : at + 1] == ("add",):
        at += 1
    while at < len(words):
        word = words[at]
        if word in _VALUED:
            at += 2
            continue
        if not word.startswith("-") and word not in ("npm:", "--"):
            yield word
        at += 1


@cache
def well_known() -> frozenset[str]:
    """The packages that are known to everybody, in lower case."""
    return frozenset(word for _, line in lines("packages.txt") for word in line.split())
