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
_CALLED = late(r"(?<![\w.])([a-z_][\w.]{0,120})\s{0,20}\(", 2)
_FUNCTIONS: Final = frozenset(
    """
    abs age all any array array_agg array_length array_to_string as avg bool_and bool_or btrim by cardinality cast ceil
    ceiling char_length char character coalesce concat concat_ws convert count cume_dist current_date current_setting
    current_timestamp curdate curtime date date_add date_diff date_format date_part date_sub date_trunc datediff
    datetime day dayofweek decimal dense_rank distinct each encode every except exists explain extract filter first
    first_value floor format format_type from from_unixtime generate_series greatest group_concat grouping having
    histogram hour if ifnull in instr intersect interval isnull iif json json_agg json_array_elements json_array_length
    json_build_object json_each json_extract json_extract_path json_extract_path_text json_group_array json_object
    json_type jsonb_agg jsonb_array_elements jsonb_array_length jsonb_build_object jsonb_each jsonb_extract_path
    jsonb_extract_path_text jsonb_object_keys jsonb_path_query jsonb_pretty jsonb_typeof join key julianday lag last
    last_value lateral lead least left length like list log lower lpad ltrim make_date materialized max md5 median min
    minute mod month mode nextval not now nth_value ntile nullif numeric nvl obj_description on only or order over
    partition percent_rank percentile_cont percentile_disc pg_column_size pg_database_size pg_get_constraintdef
    pg_get_expr pg_get_functiondef pg_get_indexdef pg_get_viewdef pg_indexes_size pg_relation_size pg_size_pretty
    pg_stat_get_live_tuples pg_table_size pg_total_relation_size pg_typeof pg_backend_pid pg_is_in_recovery
    pg_postmaster_start_time pg_table_is_visible col_description position power printf quantile quarter random rank
    recursive regexp_match regexp_matches regexp_replace regexp_split_to_array regexp_split_to_table regexp_substr
    repeat replace returning reverse right round row row_number row_to_json rpad rtrim second select sets sha256 sign
    similarity some split_part sqlite_version sqrt starts_with std stddev strftime string_agg strpos struct substr
    substring sum table then time timediff timestamp timestampdiff to_char to_date to_hex to_json to_jsonb to_number
    to_regclass to_timestamp to_tsquery to_tsvector total trim trunc truncate try_cast typeof union unique unixepoch
    unix_timestamp unnest upper using uuid values varchar variance version week weekday when where width_bucket with
    within year year_month zone and else case end set sqrt top using int integer text boolean bigint char_length
    """.split()
) - {"nextval", "set"}
"""Functions, and words before a parenthesis, that change nothing and take no time of their own."""
_RUNS = late(
    r"\b(?:from|to)\s+program\b|\bxp_cmdshell|\bsys_(?:exec|eval)|\bload_extension|^[ \t]*(?:\\!|\.(?:shell|system|"
    r"load|output|once|import)\b)|"
    r"\binto\s+(?:out|dump)file\b|\bload_file\b|\blo_(?:import|export)\b|\bpg_read_(?:binary_)?file|\bdblink|"
    r"\bcreate\s+(?:or\s+replace\s+)?(?:extension|language)\b|"
    r"\blanguage\s+(?:plpython|plperlu|c)\w*|\bSystem\b.*\bexec\b",
    2 | 8,
)
"""What reaches beyond the data."""
_LASTING = late(
    r"\block\s+(?:table|tables|in)\b|\bfor\s+(?:no\s+key\s+)?(?:update|share)\b|\bpg_advisory|\bwaitfor\b|"
    r"\bbenchmark\s*\(",
    2,
)
_TOLD = late(r"'(?:[^']|'')*'|--[^\n]*|/\*.*?\*/", 16)
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
    "xread pubsub time lastsave role echo hscan sscan zscan getrange bitcount --scan --bigkeys --stat "
    "--latency".split()
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
        if _RUNS.search(text):
            yield Concern("remote-code", "the database server is told to run a program, or to read or write files")
        if start.program in ("mongosh", "mongo"):
            changes = _MONGO.search(text)
        else:
            changes = CHANGES.search(_TOLD.sub("''", text))
            unread = objection(text) if changes is None else None
            if unread is not None:
                why = f"{start.program}: {unread} is not known only to read"
                yield Concern("opaque", why, NAMED, _subjects(start), spelled)
        if changes is not None:
            asked = (frozenset(_WRITTEN.split()) | {changes.group().split()[0].lower()}, frozenset({"{name}"}))
            named = _subjects(start) | frozenset(_NAME.findall(text)) | {"database", "db"}
            yield Concern("production", f"{changes.group().strip()}: it changes a database", asked, named, spelled)
        if _SECRETS.search(text):
            yield Concern("credential-exposure", "it reads secrets out of a database")


def objection(statement: str) -> str | None:
    """What of a statement is not known only to read, and to be done soon; None: nothing."""
    bare = _TOLD.sub("''", statement)
    changes = CHANGES.search(bare)
    if changes is not None:
        return changes.group().strip()
    lasting = _LASTING.search(bare)
    if lasting is not None:
        return lasting.group().strip()
    named = {name.lower() for name in _NAMED.findall(bare)}
    called = (name.lower() for name in _CALLED.findall(bare))
    strange = next((name for name in called if name not in _FUNCTIONS and name not in named), None)
    if strange is not None:
        return f"{strange}()"
    unread = next((one for one in bare.split(";") if one.strip() and not _READS.match(one)), None)
    return unread.split()[0] if unread is not None else None


_NAME = late(r"[A-Za-z_]\w{3,60}")
_NAMED = late(
    r"\b(\w{1,120})\s{0,20}(?:\([^()]{0,400}\))?\s{1,20}as\s{1,20}(?:(?:not\s{1,20})?materialized\s{1,20})?\(", 2
)
"""What a `with` names."""


_BASES: Final = {
    "flushdb": "flush",
    "flushall": "flush",
    "del": "delete",
    "unlink": "delete",
    "hdel": "delete",
    "expire": "expire",
}
"""Command of a store -> the verb by which a user asks for it."""


def _store(start: Start, spelled: str) -> Iterator[Concern]:
    at, words = 1, start.words
    while at < len(words) and words[at].startswith("-") and words[at] not in _REDIS:
        at += 2 if words[at] in ("-h", "-p", "-n", "-a", "-u", "--user", "--pass") else 1
    verb = words[at].lower() if at < len(words) else ""
    subjects = frozenset({verb, *words[at + 1 : at + 2]}) - {""}
    if verb == "config" and words[at + 1 : at + 2] in (("get",), ("GET",)):
        return
    if verb and verb not in _REDIS:
        asked = (frozenset({verb, _BASES.get(verb, verb)}), frozenset({"redis", "cache", *words[at + 1 : at + 2]}))
        yield Concern("destruction", f"{start.program} {verb} is not known only to read", asked, subjects, spelled)
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
