"""What a command sends, and where to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from toolaudit.classifier.local.concern import Concern
from toolaudit.classifier.local.context import Context, is_local, mentions
from toolaudit.classifier.local.paths import is_secret
from toolaudit.classifier.local.starts import Start
from toolaudit.patterns import late

REQUESTERS: Final = frozenset({"curl", "wget", "http", "https", "httpie", "xh"})
CARRIERS: Final = frozenset({"nc", "ncat", "netcat", "scp", "sftp", "rsync", "ftp", "lftp", "ssh", "telnet"})
DATABASES: Final = frozenset(
    """
    clickhouse-client cqlsh createdb dropdb dropuser duckdb influx mariadb mongo mongodump mongorestore mongosh mysql
    mysqladmin mysqldump pg_dump pg_isready pg_restore psql redis-cli sqlcmd usql valkey-cli
    """.split()
)
DOWNLOADERS: Final = REQUESTERS | {"fetch", "aria2c", "lwp-request", "GET"}

_SENDING = late(
    r"-d|--data(?:-\w+)?|-F|--form|-T|--upload-file|--post-(?:data|file)|--body-(?:data|file)|--json|"
    r"-[A-Za-z]*[dFT]|(?:-d|-F|-T|--data(?:-\w+)?|--post-(?:data|file)|--json)=?.+"
)
_METHOD = late(r"(?:-X|--request|--method)=?(POST|PUT|PATCH|DELETE)?", 2)
_METHODS: Final = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_URL = late(r"\b[a-z][a-z0-9+.-]{1,20}://(?:[^/@\s\"']*@)?([^/:?#\s\"']+)", 2)
_REMOTE = late(r"(?:[\w.-]+@)?([\w.-]+):(?!//)\S*")
_BARE_HOST = late(r"(?:[a-z0-9-]+\.)+[a-z]{2,}|\d{1,3}(?:\.\d{1,3}){3}", 2)
_SECRET_VARIABLE = late(r"\$\{?\w*(?:TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|ACCESS_?KEY|PRIVATE|CREDENTIAL)\w*\}?", 2)
SECRET_TEXT: Final = late(
    r"-----BEGIN [A-Z ]*PRIVATE KEY|\bA[KS]IA[0-9A-Z]{12,}|\bgh[pousr]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|"
    r"\bsk-[\w-]{16,}|\b[rs]k_live_\w{10,}|\bwhsec_\w{16,}|\bxox[abeprs]-[\w-]{10,}|\bAIza[\w-]{30,}|\bnpm_\w{30,}|"
    r"\bpypi-[\w-]{30,}|\bhf_\w{20,}|\bdop_v1_\w{30,}|\bshpat_\w{20,}|\bSG\.[\w-]{16,}\.[\w-]{16,}|\bhvs\.[\w-]{20,}"
)
_METADATA: Final = frozenset({"169.254.169.254", "metadata.google.internal", "169.254.170.2", "metadata"})
_GATHERERS: Final = frozenset("cat env printenv tar zip gpg pg_dump mysqldump base64 find history set".split())
_PRODUCTION = late(r"(?:\b|_)(?:prod|production|live)(?:\b|_)", 2)
_ASKED_TO_SEND: Final = (frozenset({"post", "send", "upload", "put", "submit", "patch", "copy", "sync", "push"}),)


def hosts(start: Start) -> frozenset[str]:
    """The hosts that the words of `start` name."""
    found = {host for word in start.words for host in _URL.findall(word)}
    if start.program in CARRIERS:
        for word in start.words[1:]:
            remote = _REMOTE.fullmatch(word)
            if remote is not None and not word.startswith("-"):
                found.add(remote[1])
            elif start.program not in ("scp", "rsync") and (
                _BARE_HOST.fullmatch(word.rpartition("@")[2]) or is_local(word)
            ):
                found.add(word.rpartition("@")[2])
    elif start.program in REQUESTERS:
        for word in start.words[1:]:
            bare = word.partition("/")[0].partition(":")[0] or ("localhost" if word.startswith(":") else "")
            if not word.startswith("-") and (_BARE_HOST.fullmatch(bare) or is_local(bare)):
                found.add(bare)
    elif start.program == "git":
        found |= {remote[1] for word in start.words[1:] if (remote := _REMOTE.fullmatch(word)) and "@" in word}
    elif start.program == "openssl":
        found |= {word.partition(":")[0] for at, word in enumerate(start.words) if start.words[at - 1] == "-connect"}
    elif start.program in ("ab", "hey", "wrk", "nmap", "hping3", "siege"):
        found |= {word for word in start.words[1:] if _BARE_HOST.fullmatch(word) or is_local(word)}
    elif start.program in DATABASES:
        found |= {word for before, word in pairwise(start.words) if before in ("-h", "--host", "--hostname", "-H")}
        found |= {word.partition("=")[2] for word in start.words if word.startswith(("--host=", "host="))}
    return frozenset(found)


def is_only_local(start: Start) -> bool:
    """Whether every host it names is this machine, and it names one."""
    found = hosts(start)
    return bool(found) and all(map(is_local, found))


def find(starts: Sequence[Start], context: Context) -> Iterator[Concern]:
    """What speaks against what the commands send."""
    for start in starts:
        places = hosts(start)
        if places & _METADATA:
            yield Concern("credential-exposure", "it asks the metadata service for the machine's credentials")
        strangers = frozenset(host for host in places if not context.trusts(host))
        if strangers or _unknown_receiver(start):
            yield from _sent(start, strangers, context)
        yield from _smuggled(start)
        if any(target.startswith(("/dev/tcp/", "/dev/udp/")) for _, target in start.redirects):
            yield Concern("network-exposure", "the shell itself talks to another machine")


def _unknown_receiver(start: Start) -> bool:
    return start.program in ("nc", "ncat", "netcat", "mail", "sendmail")


def _sent(start: Start, strangers: frozenset[str], context: Context) -> Iterator[Concern]:
    words, text = start.words, " ".join(start.words)
    where = ", ".join(sorted(strangers)) or start.program
    variables = frozenset(name.strip("${}") for name in _SECRET_VARIABLE.findall(text))
    if SECRET_TEXT.search(text) or (variables and not _told(variables, strangers, context)):
        yield Concern("exfiltration", f"a credential goes to {where}")
    carries = start.program in CARRIERS | {"mail", "sendmail"}
    uploads = start.program in REQUESTERS and any(_SENDING.fullmatch(word) for word in words[1:])
    changes = start.program in REQUESTERS and _changes(words)
    fed = [target for operator, target in start.redirects if operator == "<"]
    if any(map(is_secret, fed)) and not (carries or uploads or changes):
        yield Concern("exfiltration", f"a file of secrets goes to {where}")
    if not (carries or uploads or changes):
        return
    secret = any(is_secret(word.partition("@")[2] or word) for word in words[1:] if not word.startswith("http"))
    gathered = next((one for one in start.feeders if one.program in _GATHERERS), None)
    if secret or gathered is not None or fed:
        yield Concern("exfiltration", f"files or their contents go to {where}")
    elif start.program in ("scp", "rsync", "sftp") and any(word in words for word in ("-r", "-az", "-a", "-R")):
        yield Concern("exfiltration", f"files go to {where}", (*_ASKED_TO_SEND, frozenset({"{host}"})), strangers)
    elif uploads or changes or start.program in ("scp", "rsync", "sftp"):
        category = "production" if _PRODUCTION.search(text) else "publication"
        asked = (frozenset({"{host}"}), *_ASKED_TO_SEND)
        yield Concern(category, f"it sends something to {where}", asked, strangers)


def _told(variables: frozenset[str], strangers: frozenset[str], context: Context) -> bool:
    """Whether the user said in one message which credential goes to which host."""
    return bool(strangers) and any(
        all(mentions(message, name) for name in variables) and all(mentions(message, host) for host in strangers)
        for message in context.messages
    )


def _changes(words: Sequence[str]) -> bool:
    methods = [words[at + 1] for at, word in enumerate(words[:-1]) if word in ("-X", "--request", "--method")]
    methods += [found[1] or "" for word in words if (found := _METHOD.fullmatch(word))]
    bare = [word for word in words[1:3] if word in _METHODS]
    return any(method.upper() in _METHODS for method in [*methods, *bare])


def _smuggled(start: Start) -> Iterator[Concern]:
    """A substitution that reads something, inside a name lookup or an address."""
    if start.program not in DOWNLOADERS | {"dig", "nslookup", "host", "ping"}:
        return
    for inner in start.fillers:
        if inner.program in _GATHERERS or inner.program in ("whoami", "hostname", "id"):
            yield Concern("exfiltration", f"what {inner.program} prints becomes part of an address")
            return
