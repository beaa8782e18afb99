"""Requests to addresses: harmless to this machine, and where they only ask a public address for what it "
"shows to all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote_plus

from toolaudit.classifier.local.concern import HOSTED, Concern
from toolaudit.classifier.local.context import Context, is_local
from toolaudit.classifier.local.network import REQUESTERS, SECRET_TEXT, hosts, is_only_local
from toolaudit.classifier.local.starts import Start
from toolaudit.patterns import late

_QUERY = late(r"[\w.\[\]-]{1,40}=[\w.,:%+~/@ *-]{0,60}(?:&[\w.\[\]-]{1,40}=[\w.,:%+~/@ *-]{0,60}){0,8}")
_PATH = late(r"(?:/[\w.,:@%+~=!()*{}\[\]-]{0,80}){0,20}/?")
_PRIVATE_PLACE = late(r"(?:\d{1,3}\.){3}\d{1,3}|.*\.(?:local|lan|internal|intranet|corp|home|private|onion)|[^.]+", 2)
_COLLECTORS = late(
    r"(?:.*\.)?(?:webhook\.site|requestbin\.\w+|pipedream\.net|ngrok(?:-free)?\.(?:io|app|dev)|oast\.\w+|interact\.sh|"
    r"burpcollaborator\.net|transfer\.sh|0x0\.st|pastebin\.com|paste\.\w+(?:\.\w+)*|hastebin\.\w+|file\.io|"
    r"termbin\.com|"
    r"ix\.io|dpaste\.\w+|rentry\.co|beeceptor\.com|requestcatcher\.com|trycloudflare\.com|bit\.ly|tinyurl\.com|t\.me|"
    r"hooks\.[\w.]+|api\.telegram\.org|discord(?:app)?\.com|.*(?:collector|webhook|exfil|attacker|evil|malware|"
    r"elsewhere|stranger)[\w.-]*)",
    2,
)
"""Hosts that take in whatever they are sent, or hold whatever somebody put there."""
_ACTING = late(
    r"/(?:delete|remove|trigger|restart|reset|disable|enable|shutdown|logout|invoke|dispatch|execute|admin|webhooks?|"
    r"hooks?|unsubscribe|approve|cancel|flush)(?:/|\Z|\?)",
    2,
)
_HEADER = late(
    r"(?:accept|user-agent|content-type|cache-control|range|if-[\w-]+|host|accept-[\w-]+|x-requested-with)\s*:.*", 2
)
_PLAIN: Final = frozenset(
    """
    -s -S -f -L -i -I -v -o -O -w -H -m -A -N -G -4 -6 -n -g -k -z -R -J -D -# -q -c -t -T -P -nv -nc --silent
    --show-error --fail --fail-with-body --location --include --head --verbose --output --remote-name --write-out
    --header --max-time --connect-timeout --retry --retry-delay --retry-all-errors --retry-connrefused --retry-max-time
    --compressed --user-agent --no-buffer --get --url --request -X GET HEAD OPTIONS --no-progress-meter --progress-bar
    --create-dirs --output-dir --http1.1 --http2 --ipv4 --ipv6 --range -r --spider --quiet --no-verbose --tries
    --timeout --server-response --output-document --continue -C --trace-ascii --globoff --max-redirs --referer -e
    --dump-header --insecure --location-trusted --resolve --no-clobber --timestamping --method --directory-prefix
    --print --follow --body --headers --json --pretty --check-status --ignore-stdin --download
    """.split()
)
_BARE = late(r"(?:[\w-]+\.)+[a-z]{2,}(?:[:/?]|\Z)", 2)
_VALUED: Final = frozenset(
    "-o --output -A --user-agent -O -P -H --header -w -e --referer -m --directory-prefix".split()
)
_CREDENTIAL = late(
    r"[?&#][^ ]{0,200}(?:AKIA|token=|secret=|password=|(?:api|access|private|secret)?[_-]?key=|-----BEGIN)", 2
)
_LONGEST: Final = 4096
"""Characters of an address that are looked at; no server takes twice as many."""
_CARRIED = late(
    r"[A-Za-z0-9+/=_-]{64,}|[?&#][\w.-]{1,40}=(?=[^&]*\d)(?=[^&]*[a-z])(?=[^&]*[A-Z])[A-Za-z0-9+/_-]{20,}|[?&#][\w.-]{1,40}=[0-9a-f]{24,}"
)
_METADATA = late(
    r"169\.254\.(?:169\.254|170\.2)|fd00:ec2::254|100\.100\.100\.200|metadata\.google|/latest/meta-data", 2
)
_CLIMBS = late(
    r"\.\.[/\\]|'\s*(?:or|and|union|;|--)|\bunion\b.{0,20}\bselect\b|\bor\s+1\s*=\s*1|<script|javascript:|\$\{jndi|\{\{.*\}\}|"
    r";\s*(?:cat|id|ls|wget|curl)\b|\bsleep\(\d|\bwaitfor\b|/etc/passwd|/\.(?:git|env|aws|ssh|svn|htpasswd)(?:[/.]|\Z)|/(?:wp-admin|phpmyadmin|server-status|actuator/(?:env|heapdump|shutdown))\b|\x00|%00|\bxp_cmdshell|\bload_file\(|php://|file://",
    2,
)
"""What attacks put into an address."""
_TAKES: Final = frozenset({"-H", "--header"})
_BUNDLE = late(r"-[sSfLiIvOkNGgnJq]+[oOwmHAXr]?")


def find(start: Start, context: Context) -> Iterator[Concern]:
    """What about a request is not known to be harmless."""
    if is_only_local(start):
        return
    places = frozenset(host for host in hosts(start) if not context.trusts(host))
    if not places and hosts(start):
        return
    spelled = " ".join(start.words)
    if not places:
        yield Concern("opaque", f"which address {start.program} asks can't be told", None, frozenset(), spelled)
        return
    unknown = _objection(start)
    if unknown is not None:
        why = f"{start.program} reaches {', '.join(sorted(places))}, with {unknown}"
        yield Concern("publication", why, HOSTED, places, spelled, any_verb=True)


def of_address(url: str, context: Context) -> Iterator[Concern]:
    """What of reading an address is not known to be harmless."""
    host = url.partition("://")[2].partition("/")[0].rpartition("@")[2].partition(":")[0].lower()
    if len(url) > _LONGEST:
        yield Concern("opaque", f"the address is longer than {_LONGEST:,} characters")
        return
    if SECRET_TEXT.search(url) or _CREDENTIAL.search(unquote_plus(url)):
        yield Concern("exfiltration", "the address carries a credential")
    if _METADATA.search(url):
        yield Concern("credential-exposure", "it asks the metadata service for the machine's credentials")
    if _CLIMBS.search(unquote_plus(unquote_plus(url))):
        yield Concern("intrusion", "the address carries an attack")
    unknown = None if context.trusts(host) else objection(url)
    if unknown is not None:
        yield Concern(
            "publication", f"it reaches {host}, with {unknown}", HOSTED, frozenset({host, url}), any_verb=True
        )
    elif not context.trusts(host) and _CARRIED.search(url.partition("://")[2].partition("/")[2]):
        yield Concern(
            "publication", "the address carries content to its host", HOSTED, frozenset({host}), any_verb=True
        )


def _objection(start: Start) -> str | None:
    """What of a request to another machine goes beyond asking for what is shown to all."""
    if start.program not in REQUESTERS and start.program != "aria2c":
        return start.program
    words = start.words
    for at, word in enumerate(words[1:], 1):
        name = word.partition("=")[0]
        if word.startswith("-") and name not in _PLAIN and not _BUNDLE.fullmatch(word):
            return word
        if words[at - 1] in _TAKES and not _HEADER.fullmatch(word):
            return "a header that is not known to be harmless"
        if word.startswith("-X") and word not in ("-X", "-XGET", "-XHEAD"):
            return word
        if "://" in word or (not word.startswith("-") and _BARE.match(word) and words[at - 1] not in _VALUED):
            unknown = objection(word)
            if unknown is not None:
                return unknown
    return "what other programs print" if start.fillers else None


def objection(url: str) -> str | None:
    """What of an address goes beyond asking a public host for what it shows to all; None: nothing."""
    place, _, query = url.partition("://")[2].partition("?")
    if "://" not in url:
        place, _, query = url.partition("?")
    host, _, path = place.partition("/")
    bare = host.rpartition("@")[2].partition(":")[0]
    if is_local(bare):
        return None
    if "@" in host:
        return "a login"
    if _PRIVATE_PLACE.fullmatch(bare) or _COLLECTORS.fullmatch(bare):
        return f"the host {bare}"
    if "$" in url or "`" in url:
        return "an address that is put together at run time"
    if SECRET_TEXT.search(url):
        return "a credential"
    if _CLIMBS.search(unquote_plus(unquote_plus(url))):
        return "an attack in its address"
    if _ACTING.search(f"/{path}"):
        return "an address that may do something"
    if not _PATH.fullmatch(f"/{path}".rstrip("#").partition("#")[0]) or len(path) > 400:
        return "an unusual address"
    if query and not _QUERY.fullmatch(query.partition("#")[0]):
        return "a query that may carry something"
    return None
