"""What is asked of a database: harmless where every statement only reads, and none of them reads secrets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolaudit.classifier.local.concern import HOSTED, NAMED, Concern
from toolaudit.classifier.local.context import Context
from toolaudit.classifier.local.network import hosts
from toolaudit.classifier.local.starts import Start
from toolaudit.patterns import late

_TAKES: Final = frozenset(
    "-c --command -e --execute --eval -q --query -Q -cmd --cmd -qe -Nse -NBe -sNe -Ne -Be -se -tAc -Atc -tc "
    "-Ac -Atqc -te -qc "
    "-tAqc -xc -Ate -Bse -X -tX -nq".split()
)
_READS = late(
    r"\s*(?:\(?\s*select|explain(?!\s+analy[sz]e\s+(?:insert|update|delete))|show|describe|desc|with|values|"
    r"table|pragma|use|begin|commit|"
    r"rollback|analyze|set\s+(?:timezone|statement_timeout|search_path|names)|\\(?:d|l|dt|di|du|dn|df|dv|x|"
    r"timing|conninfo|c|pset|z|sf|h|echo|q)"
    r"|\.(?:tables|schema|headers|mode|indexes|indices|databases|width|dbinfo|explain|stats|timer|help|"
    r"fullschema|dump|quit|exit|nullvalue|separator|show)\b)",
    2,
)
CHANGES: Final = late(
    r"\b(?:insert\s+into|update\s+\w|delete\s+from|drop|truncate|alter|create|grant|revoke|copy|merge\s+into|"
    r"replace\s+into|call|do\s+\$|"
    r"exec(?:ute)?|into\s+(?:out|dump)file|load_file|load_extension|pg_read\w*|pg_ls\w*|lo_\w+|dblink\w*|"
    r"pg_terminate\w*|"
    r"pg_cancel\w*|pg_reload\w*|setval|nextval|xp_\w+|attach|vacuum|reindex|refresh|reset|shutdown|kill|optimize|"
    r"install|load|import|export)\b|\bpragma\s+\w+\s*=|\bset\s+(?:global|password|role)",
    2,
)
_SECRETS = late(
    r"\b(?:select|with)\b[^;]{0,400}?\b\w*(?:password|passwd|secret|token|api_?key|private_key|ssn|"
    r"card_number|credit_card|cvv|pg_shadow|pg_authid|hash)\w*\b"
    r"(?=[^;]*\bfrom\b)|\bpg_shadow\b|\bpg_authid\b|\bmysql\.user\b",
    2,
)
_MONGO = late(
    r"\b(?:delete\w*|drop\w*|remove|update\w*|insert\w*|replace\w*|rename\w*|create\w*|findAndModify|"
    r"findOneAnd\w+|bulkWrite|"
    r"shutdownServer|runCommand|adminCommand|aggregate\([^)]*\$(?:out|merge)|grant\w*|eval|fsync\w*|killOp|load)\b"
)
_REDIS: Final = frozenset(
    "ping info get mget exists ttl pttl type keys scan strlen llen lrange lindex hget hgetall hkeys hlen "
    "hvals hmget hexists scard "
    "smembers sismember srandmember zrange zcard zscore zrevrange zrangebyscore zcount dbsize memory object "
    "xlen xrange xinfo "
    "xread pubsub time lastsave role echo hscan sscan zscan getrange bitcount --scan --bigkeys --stat --latency".split()
)
_STORES: Final = frozenset({"redis-cli", "valkey-cli"})
_WRITTEN: Final = (
    "create add insert update alter change set seed fix rename index run apply execute load import restore"
)


def find(start: Start, context: Context) -> Iterator[Concern]:
    """What about the statements is not known to be harmless."""
    strangers = frozenset(host for host in hosts(start) if not context.trusts(host))
    spelled = " ".join(start.words)
    if strangers:
        why = f"it asks a database elsewhere: {', '.join(sorted(strangers))}"
        yield Concern("production", why, HOSTED, strangers, spelled, any_verb=True)
    if start.program in _STORES:
        yield from _store(start, spelled)
        return
    texts = list(_texts(start))
    if not texts and not any(word in ("-l", "--list", "--version", "-V", "--help", "-?") for word in start.words):
        yield Concern(
            "opaque", f"what {start.program} is asked can't be told", NAMED, _subjects(start), spelled, any_verb=True
        )
    for text in texts:
        if start.program in ("mongosh", "mongo"):
            changes = _MONGO.search(text)
        else:
            changes = CHANGES.search(text)
            if changes is None and not all(_READS.match(one) for one in text.split(";") if one.strip()):
                yield Concern(
                    "opaque",
                    f"{start.program}: the statement is not known only to read",
                    NAMED,
                    _subjects(start),
                    spelled,
                )
        if changes is not None:
            asked = (frozenset(_WRITTEN.split()) | {changes.group().split()[0].lower()}, frozenset({"{name}"}))
            named = _subjects(start) | frozenset(_NAME.findall(text)) | {"database", "db"}
            yield Concern("production", f"{changes.group().strip()}: it changes a database", asked, named, spelled)
        if _SECRETS.search(text):
            yield Concern("credential-exposure", "it reads secrets out of a database")


_NAME = late(r"[A-Za-z_]\w{3,60}")


def _store(start: Start, spelled: str) -> Iterator[Concern]:
    at, words = 1, start.words
    while at < len(words) and words[at].startswith("-") and words[at] not in _REDIS:
        at += 2 if words[at] in ("-h", "-p", "-n", "-a", "-u", "--user", "--pass") else 1
    verb = words[at].lower() if at < len(words) else ""
    subjects = frozenset({verb, *words[at + 1 : at + 2]}) - {""}
    if verb == "config" and words[at + 1 : at + 2] in (("get",), ("GET",)):
        return
    if verb and verb not in _REDIS:
        yield Concern(
            "destruction", f"{start.program} {verb} is not known only to read", NAMED, subjects, spelled, any_verb=True
        )
    elif not verb:
        yield Concern(
            "opaque", f"what {start.program} is asked can't be told", NAMED, frozenset({start.program}), spelled
        )


def _texts(start: Start) -> Iterator[str]:
    words = start.words
    for at, word in enumerate(words[1:], 1):
        name, equals, value = word.partition("=")
        if words[at - 1] in _TAKES and at > 1:
            yield word
        elif equals and name in _TAKES:
            yield value
        elif (
            at > 1
            and not word.startswith("-")
            and (" " in word.strip() or word.startswith((".", "\\")))
            and _READS.match(word)
        ) or (
            at > 1
            and not word.startswith("-")
            and " " in word.strip()
            and start.program in ("sqlite3", "duckdb", "sqlite-utils")
        ):
            yield word
    yield from start.texts
    for feeder in list(start.feeders)[:1]:
        if feeder.program in ("echo", "printf"):
            yield " ".join(feeder.words[1:])


def _subjects(start: Start) -> frozenset[str]:
    return frozenset(word for word in start.words if len(word) > 2 and not word.startswith("-") and " " not in word)
