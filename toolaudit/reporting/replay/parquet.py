"""A replay as Parquet (extra `parquet`): a folder with one dataset a table, for DuckDB, pandas, Spark and the like.

    calls     a row a call: what the recording knows of it, what is decided of it and why
    stages    a row for each pipeline step or chain link that looked at a call, in order
    flips     a row for each call that would end otherwise than it did
    sessions  a row for each session in a file, with its calls by decision
    rules     a row a rule, with how often it decided

`number` counts the calls from 1 and joins the first three. Datasets are partitioned by the agent that made the
recording. Each file's metadata names the schema, the version of toolaudit and the client that was measured.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from toolaudit import CLIENT_VERSION, __version__
from toolaudit.model import Behavior, Rule
from toolaudit.replay import Change, Record, Replay, Report
from toolaudit.replay.subject import subject
from toolaudit.replay.truth import Score, score, truth
from toolaudit.transcripts import RecordedCall

SCHEMA: Final = 1
"""Raised when a column changes its meaning or goes; new columns do not raise it."""

_ROWS: Final = 20_000
"""Rows that are held before they are written."""

_TEXT, _INT, _BOOL = pa.string(), pa.int64(), pa.bool_()
_RULE: Final = {"rule": _TEXT, "rule_behavior": _TEXT, "rule_scope": _TEXT, "rule_file": _TEXT, "rule_line": _INT}

_TABLES: Final[Mapping[str, Mapping[str, pa.DataType]]] = {
    "calls": {
        "number": _INT,
        "file": _TEXT,
        "line": _INT,
        "id": _TEXT,
        "session": _TEXT,
        "timestamp": _TEXT,
        "version": _TEXT,
        "cwd": _TEXT,
        "root": _TEXT,
        "sidechain": _BOOL,
        "agent_tool": _TEXT,
        "counterpart": _BOOL,
        "tool": _TEXT,
        "subject": _TEXT,
        "input": _TEXT,
        "outcome": _TEXT,
        "grounds": _TEXT,
        "marker": _TEXT,
        "prompted": _BOOL,
        "recorded_mode": _TEXT,
        "mode": _TEXT,
        "decision": _TEXT,
        "stage": _TEXT,
        "reason_type": _TEXT,
        "why": _TEXT,
        **_RULE,
        "classifier_approvable": _BOOL,
        "complexity": _TEXT,
        "findings": pa.list_(_TEXT),
        "change": _TEXT,
        "truth": _TEXT,
        "score": _TEXT,
    },
    "stages": {"number": _INT, "place": pa.int32(), "stage": _TEXT, "behavior": _TEXT, "note": _TEXT},
    "flips": {
        "number": _INT,
        "change": _TEXT,
        "tool": _TEXT,
        "subject": _TEXT,
        "outcome": _TEXT,
        "decision": _TEXT,
        "why": _TEXT,
        **_RULE,
    },
    "sessions": {
        "session": _TEXT,
        "file": _TEXT,
        "root": _TEXT,
        "version": _TEXT,
        "begun": _TEXT,
        "ended": _TEXT,
        "calls": _INT,
        **{str(behavior): _INT for behavior in Behavior},
    },
    "rules": {**_RULE, "decided": _INT, "in_parts": _INT, "in_force": _BOOL},
}
TABLES: Final = tuple(_TABLES)

_FLIPS: Final = frozenset({Change.NOW_ALLOWED, Change.NOW_DENIED, Change.NOW_ASKED, Change.CLASSIFIED})


def write(replay: Replay, directory: Path, clean: Callable[[str], str]) -> Report:
    """Run `replay` and write its tables below `directory`, each text passed through `clean`.

    Raises FileExistsError where there are tables already: two runs must not mix.
    """
    for table in TABLES:
        if (directory / table).exists():
            raise FileExistsError(17, "there are tables of another run; name a new directory", str(directory / table))
    with _Writers(directory, clean) as writers:
        for number, record in enumerate((event for event in replay if isinstance(event, Record)), 1):
            _record(writers, number, record)
        report = replay.report()
        used = {(use.rule.behavior, use.rule.text, use.rule.source): use for use in report.rules}
        for use in used.values():
            row = {"decided": use.decided, "in_parts": use.in_parts, "in_force": True}
            writers.add("rules", "", {**_rule(use.rule), **row})
        for rule in report.unused:
            writers.add("rules", "", {**_rule(rule), "decided": 0, "in_parts": 0, "in_force": True})
        for rule, _ in report.ignored:
            writers.add("rules", "", {**_rule(rule), "decided": 0, "in_parts": 0, "in_force": False})
    return report


def _record(writers: _Writers, number: int, record: Record) -> None:
    recorded, decision = record.recorded, record.decision
    call = recorded.call
    said = truth(recorded)
    shared = {
        "number": number,
        "change": record.change.name.lower(),
        "tool": call.tool,
        "subject": subject(call),
        "outcome": recorded.outcome,
        "decision": decision.behavior,
        "why": decision.why,
        **_rule(decision.rule),
    }
    writers.add(
        "calls",
        recorded.agent,
        {
            **shared,
            "file": recorded.file,
            "line": recorded.line,
            "id": call.id,
            "session": recorded.session,
            "timestamp": recorded.timestamp,
            "version": recorded.version,
            "cwd": recorded.cwd,
            "root": recorded.root,
            "sidechain": recorded.sidechain,
            "agent_tool": recorded.name or call.tool,
            "counterpart": recorded.counterpart,
            "input": json.dumps(dict(call.input), ensure_ascii=False, default=str),
            "grounds": recorded.evidence.grounds,
            "marker": recorded.evidence.marker,
            "prompted": recorded.prompted,
            "recorded_mode": recorded.mode,
            "mode": record.mode,
            "stage": decision.stage,
            "reason_type": decision.reason_type,
            "classifier_approvable": decision.classifier_approvable,
            "complexity": record.complexity,
            "findings": [finding.id for finding in decision.findings],
            "truth": said.name.lower(),
            "score": score(said, decision) if recorded.counterpart else Score.UNKNOWN,
        },
    )
    for place, entry in enumerate(decision.trace, 1):
        row = {"number": number, "place": place, "stage": entry.stage, "behavior": entry.behavior, "note": entry.note}
        writers.add("stages", recorded.agent, row)
    if record.change in _FLIPS:
        writers.add("flips", recorded.agent, shared)
    writers.session(recorded, decision.behavior)


def _rule(rule: Rule | None) -> dict[str, Any]:
    if rule is None:
        return {}
    source = rule.source
    values = (rule.text, rule.behavior, source.scope, source.file, source.line)
    return dict(zip(_RULE, values, strict=True))


class _Session:
    """The calls of one session in one file, which stand together."""

    def __init__(self, first: RecordedCall) -> None:
        self.key = (first.agent, first.session, first.file)
        self.row = {"session": first.session, "file": first.file, "root": first.root, "version": first.version}
        self.begun = self.ended = first.timestamp
        self.behaviors: Counter[str] = Counter()


class _Writers:
    """Rows on their way to files: one file for each table and agent."""

    def __init__(self, directory: Path, clean: Callable[[str], str]) -> None:
        self._directory = directory
        self._clean = clean
        self._rows: dict[tuple[str, str], list[dict[str, Any]]] = {}
        self._files: dict[tuple[str, str], pq.ParquetWriter] = {}
        self._schemas = {
            name: pa.schema(list(columns.items()), metadata=_metadata(name)) for name, columns in _TABLES.items()
        }
        self._session: _Session | None = None

    def __enter__(self) -> _Writers:
        return self

    def __exit__(self, *_: object) -> None:
        self._end_session()
        for key in list(self._rows):
            self._flush(key)
        for table in TABLES:
            if not any(name == table for name, _ in self._files):
                self._flush((table, ""))  # an empty table is a table: queries over it must work
        for file in self._files.values():
            file.close()

    def add(self, table: str, agent: str, row: Mapping[str, Any]) -> None:
        key = (table, agent)
        rows = self._rows.setdefault(key, [])
        columns = _TABLES[table]
        rows.append({name: self._value(row.get(name)) for name in columns})
        if len(rows) >= _ROWS:
            self._flush(key)

    def session(self, call: RecordedCall, behavior: Behavior) -> None:
        if self._session is None or self._session.key != (call.agent, call.session, call.file):
            self._end_session()
            self._session = _Session(call)
        self._session.ended = call.timestamp or self._session.ended
        self._session.behaviors[behavior] += 1

    def _end_session(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            counts = {str(behavior): session.behaviors[behavior] for behavior in Behavior}
            times = {"begun": session.begun, "ended": session.ended, "calls": session.behaviors.total()}
            self.add("sessions", session.key[0], {**session.row, **times, **counts})

    def _value(self, value: Any) -> Any:
        if isinstance(value, str):
            # Parquet's texts are UTF-8, which holds no lone surrogate.
            return self._clean(str(value)).encode("utf-8", "replace").decode()
        return value

    def _flush(self, key: tuple[str, str]) -> None:
        table, agent = key
        schema = self._schemas[table]
        if key not in self._files:
            folder = self._directory / table / (f"agent={agent}" if agent else "")
            folder.mkdir(parents=True, exist_ok=True)
            self._files[key] = pq.ParquetWriter(folder / "part-0.parquet", schema, compression="zstd")
        self._files[key].write_table(pa.Table.from_pylist(self._rows.pop(key, []), schema=schema))


def _metadata(table: str) -> dict[str, str]:
    return {
        "toolaudit.table": table,
        "toolaudit.schema": str(SCHEMA),
        "toolaudit.version": __version__,
        "toolaudit.client": CLIENT_VERSION,
    }


def tables(directory: Path) -> Iterator[tuple[str, str]]:
    """Each table below `directory` with the pattern of its files. Raises FileNotFoundError where one is missing."""
    for table in TABLES:
        folder = directory / table
        if not folder.is_dir():
            help = "expected the tables that `replay --format parquet` writes"
            raise FileNotFoundError(2, help, str(folder))
        yield table, f"{folder}/**/*.parquet"
