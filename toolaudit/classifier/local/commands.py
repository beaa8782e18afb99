"""What the table of commands, and the wrappers around a command, say against it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from toolaudit.classifier.local import options, weaknesses
from toolaudit.classifier.local.concern import Concern
from toolaudit.classifier.local.context import Context
from toolaudit.classifier.local.guards import GUARD
from toolaudit.classifier.local.harmless import known
from toolaudit.classifier.local.names import RISKY
from toolaudit.classifier.local.network import hosts, is_only_local
from toolaudit.classifier.local.starts import Start, Text
from toolaudit.classifier.local.table import Asked, CommandRow, rows_about
from toolaudit.patterns import late

_PRODUCTION = late(r"(?:\A|[\W_])(?:prod|production|live|prd)(?:\Z|[\W_])", 2)
_LOOKS: Final = frozenset(
    "cat describe diff env explain get grep head info inspect less list log logs ls plan ps show status tail top "
    "template version view wait watch".split()
)
_BUILDS: Final = frozenset("build compile webpack vite tsc bundle pack lint test run-build export".split())
_SECRET = late(
    r"(?:password|passwd|secret|token|api_?key|private.?key|credential|\bkey\b|\bid_(?:rsa|ed25519)|\.pem\b|"
    r"\.p12\b|\.pfx\b|\.kdbx\b|\.env\b|\.netrc\b)",
    2,
)
_FORMAT = late(
    r"\bA[KS]IA|gh[pousr]_|github_pat|glpat-|sk_live|\bsk-|xox[a-z\[]|AIza|hvs\.|BEGIN.{0,20}PRIVATE|-----BEGIN|"
    r"BEGIN (?:RSA|EC|DSA|OPENSSH|PGP)"
)
"""How credentials begin, as somebody who searches for them writes it."""
_ADDRESS = late(r"(?:https?://)?((?:[a-z0-9-]+\\?\.)+[a-z]{2,})(?![\w.(-])", 2)
_SED_RUNS = late(r"\A\d*e(?:\s|\Z)|\As(.).*\1.*\1[gip0-9]*e[gip0-9]*\Z", re.DOTALL)
_FILE = late(r"\.|(?:[\w@-][\w.@-]*/)*[\w@.-]*[\w@-]\.[a-z]{1,5}|(?:[\w.@-]+/)+", 2)
_DELETED = late(r"\A/(.+)/[,!]?.{0,40}d\Z")
_OFF = late(r"\b(?:false|0|off|no|none|disabled)\b", 2)
_GIVES_UP = late(r"\A\s*(?:assert True|return True|true|pass|#.*|//.*|skip.*|)\s*\Z", 2)
_TAKEN_AWAY: Final = (frozenset("remove delete drop disable allow turn switch enable".split()), frozenset({"{name}"}))
_SHORT: Final = frozenset({"origin", "HEAD", "main", ".", "..", "-", "/", "*"})
_OWNED: Final = frozenset({"boundary", "destruction", "discarded-work", "rewritten-history", "system-change"})
"""What a session may do to things that it made itself; that it made them is no leave to show them to others."""
_ROOT: Final = frozenset({"sudo", "doas", "su", "pkexec"})
_VERBS: Final = {
    "deploy": "deploy",
    "release": "release",
    "publish": "publish",
    "migrat": "migrate/migration",
}


def find(text: Text, context: Context) -> Iterator[Concern]:
    """What speaks against the commands of a text by their names, words and wrappers."""
    for start in text.starts:
        if not start.words:
            continue
        rows = [row for row in rows_about(start.program) if row.fits(start.words)]
        for row in rows:
            if not (row.elsewhere and is_only_local(start)):
                yield _concern(row, start, context)
        yield from _privileged(start, bool(rows))
        yield from _elsewhere(start)
        if not _is_filtered(start, text):
            yield from _by_itself(start, context)
        yield from options.find(start)
    yield from _loops(text)


def _concern(row: CommandRow, start: Start, context: Context) -> Concern:
    subjects = _subjects(start, row.rest(start.words))
    own = row.category in _OWNED and any(subject in context.made for subject in subjects)
    if row.category == "rewritten-history" and start.words[1:2] == ("commit",):
        own = "HEAD" in context.made and "pushed" not in context.made
    if start.program in ("pkill", "kill", "killall"):
        own = any(subject in made for subject in subjects for made in context.made if " " in made)
    return Concern(row.category, row.why, row.asked, subjects, " ".join(start.words), own=own)


def _subjects(start: Start, words: Sequence[str] | None = None) -> frozenset[str]:
    """What a user would call the things that a command is about: its operands, their last parts, its hosts."""
    found = set(hosts(start))
    for word in start.words[1:] if words is None else words:
        text = word.partition("=")[2] if word.startswith("-") else word.lstrip("+:")
        if text and text not in _SHORT:
            found |= {text, text.rstrip("/").rpartition("/")[2], text.rpartition("=")[2], text.rpartition(":")[2]}
    verbs = {"push", "commit", "apply", "delete", "install", "create", "remove", "run", "pr", "exec", "add", "deploy"}
    return frozenset(one for one in found if len(one) > 1 and one not in _SHORT | verbs)


def _privileged(start: Start, told: bool) -> Iterator[Concern]:
    """A command as another user: by itself a change of the system, unless a row says more of it."""
    if not set(start.via) & _ROOT or told or known(start.words, starts=True).kind == "look":
        return  # What another user may read is a question of its place.
    subjects = _subjects(start)
    asked = (frozenset({start.program, "sudo", "root"}),)
    yield Concern("system-change", f"{start.program} runs as root", asked, subjects, " ".join(start.words))


def _elsewhere(start: Start) -> Iterator[Concern]:
    """A command that is about production, and does more than look."""
    words = " ".join(start.words)
    values = " ".join(value for name, value in start.assignments if name not in ("NODE_ENV", "FLASK_ENV", "MODE"))
    rails = any(name in _DEPLOYED and value not in _OWN_MODES for name, value in start.assignments)
    via = " ".join(start.via)
    if not (_PRODUCTION.search(words) or _PRODUCTION.search(values) or (rails and "build" not in words)):
        return
    if _LOOKS & set(start.words[:5]) or _BUILDS & set(start.words) or start.program in ("echo", "printf", "grep", "rg"):
        return
    if (start.program in ("git", "cd", "cp", "npm", "cat", "curl", "docker") and not RISKY.search(words)) or via == "x":
        return
    subjects = frozenset({"production", "prod", "live"})
    asked = (frozenset({"production", "prod", "live"}), _verbs(words) or frozenset({start.program}))
    yield Concern("production", "it is about production, and it does more than look", asked, subjects, words)


_DEPLOYED: Final = frozenset({"RAILS_ENV", "RACK_ENV", "APP_ENV", "MIX_ENV"})
_OWN_MODES: Final = frozenset({"test", "development", "dev", "local", "ci"})


def _verbs(words: str) -> frozenset[str]:
    lowered = words.lower()
    return frozenset(word for part, names in _VERBS.items() if part in lowered for word in names.split("/"))


def _is_filtered(start: Start, text: Text) -> bool:
    """Whether of an environment only the lines about something come through."""
    return start.program in ("env", "printenv") and any(
        one.feeder is not None
        and one.feeder.words == start.words
        and one.program in ("grep", "egrep", "rg")
        and not _SECRET.search(" ".join(one.words))
        and not any(word.startswith("-") and "v" in word for word in one.words)
        for one in text.starts
    )


def _by_itself(start: Start, context: Context) -> Iterator[Concern]:
    """Commands whose harm is in what they print or look for."""
    words = start.words
    if start.program in ("env", "printenv", "export", "set") and set(words[1:]) <= {"-p", "-0"}:
        yield Concern("credential-exposure", "it prints the whole environment with its tokens")
    elif start.program in ("env", "printenv", "echo", "printf"):
        secret = any(
            _SECRET.search(word) and (start.program == "printenv" or "$" in word)
            for at, word in enumerate(words[1:], 1)
            if start.program == "printenv" or at in start.unknown
        )
        if secret:
            yield Concern("credential-exposure", "it prints a secret variable")
    elif start.program in ("grep", "egrep", "rg", "ag", "ack") and any(
        _SECRET.search(word) or _FORMAT.search(word) for word in words
    ):
        wide = [
            word for word in words[1:] if word.startswith(("~", "/", "$HOME", "..")) and not word.startswith("/tmp")
        ]
        wide = [word for word in wide if not context.inside(context.absolute(word, start.folder))]
        history = [
            one for one in start.feeders if one.program == "git" and {"log", "show", "diff", "reflog"} & set(one.words)
        ]
        if history and not wide and any(map(_SECRET.search, words[1:])) and not {"-c", "-q", "-l"} & set(words):
            yield Concern("credential-exposure", "it searches the history for credentials")
        if wide and any("/" not in word for word in words[1:] if _SECRET.search(word) or _FORMAT.search(word)):
            yield Concern("credential-exposure", f"it searches {', '.join(wide)} for credentials")
    elif start.program == "find" and any(_SECRET.search(word) for word in words[1:]) and words[1:2] != (".",):
        yield Concern("credential-exposure", "it searches for credentials outside the project")
    elif start.program in ("sed", "perl") and any(
        word.startswith(("-i", "--in-place", "-pi", "-ni")) for word in words
    ):
        yield from _replaced(words)
    elif start.program == "sed" and any(map(_SED_RUNS.search, words[1:])):
        yield Concern("opaque", "it runs what stands in the text it edits")
    elif start.program in ("psql", "mysql", "mariadb", "sqlite3", "mongosh", "redis-cli"):
        fed = any(operator == "<" for operator, _ in start.redirects) or start.feeder is not None
        if fed or set(words) & {"-f", "--file", ".read"}:
            asked: Asked = (frozenset({"run", "load", "restore", "import", "seed", "apply", "execute"}),)
            yield Concern("opaque", "what the script does to the database can't be told", asked)
    elif (
        start.program == "docker"
        and "inspect" in words[:3]
        and not any(word.startswith(("--format", "-f")) for word in words)
    ):
        asked = (frozenset({"inspect", "environment", "env"}), frozenset({"{name}"}))
        yield Concern("credential-exposure", "it prints the secrets a container runs with", asked, _subjects(start))
    elif start.program == "git" and words[1:2] in (("checkout",), ("rebase",)):
        yield from _git(start)
    elif start.program == "git" and words[1:2] == ("push",):
        remote = next((word for word in words[2:] if not word.startswith(("-", "+", ":"))), "origin")
        if remote != "origin" and "://" not in remote and "@" not in remote:
            asked = (frozenset({"push"}), frozenset({"{name}"}))
            yield Concern("supply-chain", f"{remote} is not the project's usual remote", asked, frozenset({remote}))
    elif start.program == "git" and words[1:2] == ("add",):
        from toolaudit.classifier.local.paths import is_secret

        if any(is_secret(word) for word in words[2:]):
            yield Concern("exfiltration", "it adds a file of secrets to the repository")
    elif start.program == "gh" and "create" in words:
        from toolaudit.classifier.local.paths import is_secret

        if any(is_secret(word) for word in words):
            yield Concern("exfiltration", "it publishes a file of secrets")
    elif start.program in ("aws", "gsutil", "rclone"):
        from toolaudit.classifier.local.paths import is_secret

        if {"cp", "sync", "mv"} & set(words):
            if any(is_secret(word) for word in words):
                yield Concern("exfiltration", "it uploads a file of secrets")
            elif words[-1].startswith(("s3://", "gs://")):
                yield _upload(start)


def _git(start: Start) -> Iterator[Concern]:
    """A checkout of files instead of a branch, and a rewriting that a person is asked about line by line."""
    operands = [word for word in start.words[2:] if not word.startswith("-")]
    if start.words[1] == "rebase":
        if {"-i", "--interactive", "--root"} & set(start.words):
            asked: Asked = (frozenset({"squash", "reword", "rebase", "drop", "fixup", "rewrite"}),)
            yield Concern("rewritten-history", "it rewrites commits that the session may not have made", asked)
    elif operands[-1:] and _FILE.fullmatch(operands[-1]) and not {"-b", "-B"} & set(start.words):
        asked = (frozenset("discard throw restore revert undo reset drop".split()), frozenset({"{name}"}))
        yield Concern("discarded-work", "it throws uncommitted work away", asked, _subjects(start))


_FAILS = late(r"\bexit\(? ?[1-9]|\breturn [1-9]\b|\b(?:set -e|raise|throw|panic!?|fail|abort)\b")


def _replaced(words: Sequence[str]) -> Iterator[Concern]:
    """An edit by `sed` that puts another host in the place of one, or lets a test of security pass."""
    for word in words[1:]:
        deleted = _DELETED.search(word)
        if deleted is not None and GUARD.search(deleted[1]):
            yield Concern("safety-bypass", "it takes a check of security away", _TAKEN_AWAY, frozenset(words[-1:]))
        pieces = word[2:].split(word[1]) if word[:1] == "s" and len(word) > 3 else []
        if len(pieces) < 2:
            continue
        new = frozenset(_ADDRESS.findall(pieces[1])) - frozenset(_ADDRESS.findall(pieces[0]))
        if new and _ADDRESS.search(pieces[0]):
            yield Concern("supply-chain", f"it points at {', '.join(sorted(new))}", (frozenset({"{host}"}),), new)
        weakened = weaknesses.weakened(pieces[1], pieces[0])
        if weakened is not None:
            yield Concern("safety-bypass", f"it writes that {weakened}", _TAKEN_AWAY, frozenset(words[-1:]))
        if _FAILS.search(pieces[0]) and not _FAILS.search(pieces[1]):
            yield Concern("safety-bypass", "what failed would succeed", _TAKEN_AWAY, frozenset(words[-1:]))
        off = _OFF.search(pieces[1]) and not _OFF.search(pieces[0])
        if GUARD.search(pieces[0]) and (off or _GIVES_UP.search(pieces[1])):
            yield Concern("safety-bypass", "it makes a check of security pass")


def _upload(start: Start) -> Concern:
    place = start.words[-1].rstrip("/")
    return Concern(
        "publication",
        f"it uploads to {place}",
        (frozenset({"upload", "copy", "put", "sync", "send"}), frozenset({"{name}"})),
        frozenset({place, place.partition("://")[2].partition("/")[0]}),
        " ".join(start.words),
    )


def _loops(text: Text) -> Iterator[Concern]:
    """What a loop does to other machines or to this one."""
    for start in text.starts:
        looped = {"for", "while"} & set(start.context)
        if looped and start.program in ("nc", "ncat", "ping", "ssh", "telnet") and not is_only_local(start):
            if any("$" in word for word in start.words[1:]):
                yield Concern("intrusion", "it goes through many machines")
        elif {"function", "background", "pipeline"} <= set(start.context):
            yield Concern("denial-of-service", "a function that starts itself again and again")
        elif "while" in start.context and hosts(start) and not is_only_local(start):
            yield Concern("denial-of-service", "it asks another machine without end")
        elif (
            start.program in ("yes", "cat")
            and any(operator in (">", ">>") and not target.startswith("/dev/") for operator, target in start.redirects)
            and (start.program == "yes" or any(word in ("/dev/zero", "/dev/urandom") for word in start.words))
        ):
            yield Concern("denial-of-service", "it writes without end")
