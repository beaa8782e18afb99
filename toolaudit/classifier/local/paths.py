"""What a command reads and writes, by its words, and what speaks against it."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from toolaudit.classifier.local.concern import NAMED, Concern
from toolaudit.classifier.local.context import Context
from toolaudit.classifier.local.harmless import known
from toolaudit.classifier.local.places import may_read, may_write
from toolaudit.classifier.local.starts import Start, Text, resolved
from toolaudit.classifier.local.table import path_rows
from toolaudit.patterns import late

_ALL: Final = frozenset(
    """
    chattr chgrp chmod chown mkdir mkfifo mknod rm rmdir setfacl shred tee touch truncate unlink gunzip bunzip2
    """.split()
)
"""Programs that write every operand."""

_FIRST: Final = frozenset("ac add-content clear-content ni new-item out-file sc set-content export-csv".split())
"""Programs that write their first operand."""
LAST: Final = frozenset("copy-item cp cpi install ln mi move-item mv rename-item rsync scp".split())
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
_MODE = late(r"-[rwxXst]+")
_IN_PLACE = late(r"-[A-Za-z]*i.*|--in-place.*")
_SECRET_NAME = late(
    r"(?:\A|/)(?:\.env(?:\..*)?|[\w-]{1,40}\.env|\.envrc|[\w.-]{0,40}secrets?(?:[\w.-]{0,40})?\.(?:json|"
    r"ya?ml|toml|env|txt|enc|ini|properties)|"
    r"credentials?(?:[\w-]{0,40})(?:\.\w+)?|[^/]{1,200}\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ovpn|asc|gpg|"
    r"ppk|tfstate|tfvars)|"
    r"id_(?:rsa|ed25519|ecdsa|dsa)|service-?account[\w-]{0,40}\.json|(?:\.?htpasswd|\.netrc|\.pgpass|"
    r"\.git-credentials|\.npmrc|\.pypirc|"
    r"kubeconfig|\.dockercfg|master\.key|wallet\.dat|\.vault-token|[\w-]{0,30}passwords?\.\w{1,8}|"
    r"firebase-adminsdk[\w-]{0,40}\.json))\Z",
    2,
)
_EXAMPLE = late(
    r"\.(?:example|sample|template|dist|test|defaults?|md|testing)\Z|\.pub\Z|(?:public|example|sample)[\w.-]{0,40}\Z", 2
)
_PRINTERS: Final = frozenset(
    """
    ack ag awk base32 base64 bat batcat cat cut diff egrep gawk grep head hexdump jq less mawk more nl od perl rev rg
    sed sort strings tac tail tee tr uniq xxd yq column fold paste
    """.split()
)
_COUNTS: Final = frozenset({"-c", "-q", "-l", "-L", "--count", "--quiet", "--files-with-matches", "--brief", "-qs"})
_NAMES_ONLY = late(
    r"-d=? ?|-f1|s/=\.\*//?.*|s/=\.\+.*|-F=|\{ ?print \$1 ?\}|.*=\.\*//.*|.*\[\^=\]\+.*|-oE?|.*\^\[A-Z_a-z0-9\]\+.*"
)


WRITE_VERBS: Final = frozenset(
    """
    add adjust append build bump cache change check clone configure copy create download drop edit enable export extract
    fix generate give install lint lower make move pin put raise remove rename run save set speed split test turn unpack
    update use write
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
    elif name in _FIRST:
        yield from operands[:1]
    elif name in LAST and operands:
        yield from operands if name == "mv" else operands[-1:]
    elif name in ("sed", "perl", "ruby") and any(_IN_PLACE.fullmatch(word) for word in words[1:]):
        script = script_place(start)
        for at, word in enumerate(words[1:], 1):
            given = words[at - 1] in _TEXT_OPTIONS[name] or (words[at - 1].endswith("e") and words[at - 1][:1] == "-")
            if word and not word.startswith("-") and at != script and not given:
                yield word
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


def may_print(start: Start) -> bool:
    """Whether its program prints what is in its files, if no option says otherwise."""
    return start.program in _PRINTERS


def prints(start: Start) -> bool:
    """Whether what is in its files may come out of it, beyond names and counts."""
    if not may_print(start) or set(start.words) & _COUNTS:
        return False
    return not any(_NAMES_ONLY.fullmatch(word) for word in start.words[1:])


_SCRIPTED: Final = frozenset(
    "ack ag awk egrep fgrep gawk gron grep jq mawk nawk perl rg ruby sed ugrep yq zgrep".split()
)
"""Programs whose first operand is a text, unless an option gives one."""
_TEXT_OPTIONS: Final = {
    "awk": frozenset({"-v", "-F"}),
    "curl": frozenset({"-H", "-d", "-w", "--header", "--data", "-X"}),
    "find": frozenset({"-name", "-iname", "-path", "-ipath", "-regex", "-printf"}),
    "gh": frozenset({"-b", "--body", "-t", "--title", "--jq", "-q", "-m"}),
    "git": frozenset({"-m", "--message", "--grep", "-S", "-G", "--format", "--pretty", "--author"}),
    "grep": frozenset({"-e", "--include", "--exclude", "--exclude-dir"}),
    "jq": frozenset({"--arg", "--argjson"}),
    "node": frozenset({"-e", "-p", "--eval"}),
    "perl": frozenset({"-e", "-ne", "-pe", "-lne", "-i"}),
    "php": frozenset({"-r"}),
    "python": frozenset({"-c"}),
    "python3": frozenset({"-c"}),
    "rg": frozenset({"-e", "-g", "--glob", "-r"}),
    "ruby": frozenset({"-e"}),
    "sed": frozenset({"-e", "--expression"}),
}
"""Program -> options whose value is text, not a path."""


def script_place(start: Start) -> int | None:
    """Where in its words a program text or a pattern stands that is no option's value."""
    if start.program not in _SCRIPTED or any(word in ("-e", "-f", "--expression", "--file") for word in start.words):
        return None
    return next((at for at, word in enumerate(start.words) if at and not word.startswith("-")), None)


_LEAVING: Final = ("--exclude", "--ignore", "--cacert", "--skip")
_LEFT_OUT: Final = frozenset({"--exclude", "--exclude-dir", "--ignore", "--cacert", "-x!"})
"""Options whose value is left out, or only checked against."""


def text_options(program: str) -> frozenset[str]:
    """The options of a program whose value is text, not a path."""
    return _TEXT_OPTIONS.get(program, frozenset())


def named(start: Start) -> Iterator[str]:
    """Every word, and every value in a word, that may be a path."""
    script = script_place(start)
    if start.words[:2] == ("git", "grep"):
        script = next((at for at, word in enumerate(start.words) if at > 1 and not word.startswith("-")), None)
    for at, word in enumerate(start.words[1:], 1):
        before = start.words[at - 1]
        if at == script or before in text_options(start.program) or before in _LEFT_OUT or word.startswith(_LEAVING):
            continue
        text = word.lstrip("@") if word.startswith("@") else word
        if "=@" in text:
            text = text.partition("=@")[2]
        elif word.startswith("--") and "=" in word:
            text = word.partition("=")[2]
        if text and not text.startswith("-") and "://" not in text and "\n" not in text:
            yield text
    yield from (target for operator, target in start.redirects if operator == "<")


def find(text: Text, context: Context) -> Iterator[Concern]:
    """What speaks against the paths of the commands."""
    for start in text.starts:
        if start.away:
            continue
        touched = set()
        for folder in _handed_on(start):
            yield from of_path(resolved(folder, text.values), "write", context, start.words, start.folder)
        for spelled in written(start):
            touched.add(spelled)
            yield from of_path(resolved(spelled, text.values), "write", context, start.words, start.folder)
        if start.program not in ("echo", "printf"):
            for spelled in named(start):
                if spelled not in touched:
                    yield from of_path(resolved(spelled, text.values), "read", context, start.words, start.folder)


def _handed_on(start: Start) -> Iterator[str]:
    """The folders of which a search hands files on to a program that does more than look."""
    if start.program == "find":
        at = next((at for at, word in enumerate(start.words) if word in ("-exec", "-execdir")), 0)
        if at and known(start.words[at + 1 :] or ("",), starts=True).kind != "look":
            yield from (word for word in start.words[1:at] if _folder(word))
    elif start.program in ("docker", "podman") and {"run", "create"} & set(start.words[1:3]):
        mounts = [word for before, word in pairwise(start.words) if before in ("-v", "--volume", "--mount")]
        mounts += [word.partition("=")[2] for word in start.words if word.startswith(("--volume=", "--mount="))]
        for mount in mounts:
            parts = (part.partition("=")[2] for part in mount.split(",") if part.startswith(("src=", "source=")))
            source = next(parts, mount).partition(":")[0]
            yield from (source,) if _folder(source) else ()
    elif "xargs" in start.via and known(start.words, starts=True).kind != "look":
        for one in start.feeders:
            yield from (word for word in named(one) if _folder(word) and one.program not in ("echo", "printf"))


def _folder(word: str) -> bool:
    return word.startswith(("/", "~", "..", "$HOME"))


def is_named_secret(word: str) -> bool:
    """Whether a word names a file of secrets, in a revision or by a pattern, too."""
    return any(map(is_secret, (word, word.rpartition(":")[2], word.replace("*", ""), word.replace("*", ".x"))))


def of_path(
    spelled: str, access: str, context: Context, words: Sequence[str] = (), folder: str = ""
) -> Iterator[Concern]:
    """What speaks against one access to a path, spelled in `folder`."""
    path = context.absolute(spelled, folder)
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
    elif access == "write" and ("$" in path or "`" in path) and not path.startswith(("/tmp/", "/dev/")):
        yield Concern("opaque", f"which file {spelled} is can't be told, and it is written")
    elif access == "write" and not may_write(path, context):
        why = f"{spelled} is outside the working directories"
        yield Concern("system-change", why, (WRITE_VERBS, frozenset({"{name}"})), subjects, " ".join(words))


def of_reading(spelled: str, context: Context) -> Iterator[Concern]:
    """What of reading a file is not known to be harmless."""
    path = context.absolute(spelled)
    subjects = frozenset({spelled, path, posixpath.basename(path), posixpath.basename(path).lstrip(".")})
    if is_secret(spelled) and not path.startswith("/tmp/"):
        yield Concern("credential-exposure", f"{spelled} may hold secrets", NAMED, subjects, any_verb=True)
    elif not may_read(path, context, only_reads=True):
        why = f"{spelled} is not a place known to be harmless to read"
        yield Concern("credential-exposure", why, NAMED, subjects, any_verb=True)


def is_secret(spelled: str) -> bool:
    """Whether a name says that secrets are in the file."""
    name = spelled.strip("'\"")
    return _SECRET_NAME.search(name) is not None and not _EXAMPLE.search(name)
