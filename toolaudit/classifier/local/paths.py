"""What a command reads and writes, by its words, and what speaks against it."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from typing import Final

from toolaudit.classifier.local.concern import Concern
from toolaudit.classifier.local.context import Context
from toolaudit.classifier.local.starts import Start
from toolaudit.classifier.local.table import path_rows
from toolaudit.patterns import late

_ALL: Final = frozenset(
    """
    chattr chgrp chmod chown mkdir mkfifo mknod rm rmdir setfacl shred tee touch truncate unlink gunzip bunzip2
    """.split()
)
"""Programs that write every operand."""

_LAST: Final = frozenset("cp install ln mv rsync scp".split())
"""Programs that write their last operand (`mv` its others too)."""

_VALUES: Final = {
    "curl": ("-o", "--output", "--output-dir"),
    "dd": (),
    "gcc": ("-o",),
    "gpg": ("-o", "--output"),
    "patch": ("-o", "--output"),
    "sort": ("-o", "--output"),
    "tar": ("-C", "--directory"),
    "unzip": ("-d",),
    "wget": ("-O", "--output-document", "-P", "--directory-prefix"),
}
"""Program -> options whose value it writes."""

_WRITE_OPERATORS: Final = frozenset({">", ">>", ">|", "&>", "&>>", "<>"})
_TEMPORARY: Final = ("/tmp/", "/var/tmp/", "/dev/shm/")
_DEVICES: Final = frozenset({"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty"})
_MODE = late(r"-[rwxXst]+")
_IN_PLACE = late(r"-[A-Za-z]*i.*|--in-place.*")
_SECRET_NAME = late(
    r"(?:\A|/)(?:\.env(?:\..*)?|secrets?\.(?:json|ya?ml|toml|env)|credentials(?:\.\w+)?|.*\.pem|.*\.key|id_(?:rsa|ed25519|ecdsa|dsa))\Z"
)
_EXAMPLE = late(r"\.(?:example|sample|template|dist)\Z|\.pub\Z")


WRITE_VERBS: Final = frozenset(
    """
    add append change clone configure copy create download edit enable export extract generate install make move put
    save set unpack update use write
    """.split()
)
"""Words by which a user asks for something to be written."""


def written(start: Start) -> Iterator[str]:
    """The paths that `start` writes, as they are spelled."""
    words = start.words
    operands = [word for word in words[1:] if not word.startswith("-")]
    name = start.program
    if name in _ALL:
        # A mode such as `-x` stands among the options.
        mode = name in ("chmod", "chown", "chgrp", "chattr", "setfacl") and not any(map(_MODE.fullmatch, words[1:]))
        yield from operands[1:] if mode else operands
    elif name in _LAST and operands:
        yield from operands if name == "mv" else operands[-1:]
    elif name == "sed" and any(_IN_PLACE.fullmatch(word) for word in words[1:]):
        yield from operands[1:]
    elif name == "dd":
        yield from (word[3:] for word in words if word.startswith("of="))
    elif name == "git" and operands[:1] == ["clone"] and len(operands) > 2:
        yield operands[2]
    for option in _VALUES.get(name, ()):
        for at, word in enumerate(words):
            if word == option and at + 1 < len(words):
                yield words[at + 1]
            elif len(option) == 2 and word[:1] == "-" and word[1:].isalpha() and word.endswith(option[1]):
                yield from words[at + 1 : at + 2]
            elif option.startswith("--") and word.startswith(f"{option}="):
                yield word.partition("=")[2]
    yield from (target for operator, target in start.redirects if operator in _WRITE_OPERATORS)


def named(start: Start) -> Iterator[str]:
    """Every word, and every value in a word, that may be a path."""
    for word in start.words[1:]:
        text = word.lstrip("@") if word.startswith("@") else word
        if "=@" in text:
            text = text.partition("=@")[2]
        elif word.startswith("--") and "=" in word:
            text = word.partition("=")[2]
        if text and not text.startswith("-") and "://" not in text and "\n" not in text:
            yield text
    yield from (target for operator, target in start.redirects if operator == "<")


def find(starts: Sequence[Start], context: Context) -> Iterator[Concern]:
    """What speaks against the paths of the commands."""
    for start in starts:
        if any(via.startswith(("ssh", "docker", "kubectl")) for via in start.via):
            continue
        places = set()
        for spelled in written(start):
            places.add(spelled)
            yield from of_path(spelled, "write", context, start.words)
        if start.program not in ("echo", "printf"):
            for spelled in named(start):
                if spelled not in places:
                    yield from of_path(spelled, "read", context, start.words)


def of_path(spelled: str, access: str, context: Context, words: Sequence[str] = ()) -> Iterator[Concern]:
    """What speaks against one access."""
    path = context.absolute(spelled)
    home = context.question.home
    subjects = frozenset({spelled, path, posixpath.basename(path)})
    if access == "read" and _EXAMPLE.search(path):
        return
    row = next((row for row in path_rows() if row.fits(path, access, home)), None)
    if row is not None:
        asked = row.asked
        if asked is not None and access == "write":
            asked = (WRITE_VERBS, *asked)
        yield Concern(row.category, f"{spelled}: {row.why}", asked, subjects)
    elif access == "write" and not context.inside(path) and path not in _DEVICES:
        own = path in context.made or any(path.startswith(f"{place}/") for place in context.made)
        if not path.startswith(_TEMPORARY) and not own:
            why = f"{spelled} is outside the working directories"
            yield Concern("system-change", why, (WRITE_VERBS, frozenset({"{name}"})), subjects, " ".join(words))


def is_secret(spelled: str) -> bool:
    """Whether a name says that secrets are in the file."""
    name = spelled.strip("'\"")
    return _SECRET_NAME.search(name) is not None and not _EXAMPLE.search(name)
