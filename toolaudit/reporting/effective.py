"""The merged policy with where everything comes from: for people, and as one JSON object (schema 1)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, TextIO

from toolaudit.analysis.effective import Setting
from toolaudit.checks.masking import masked
from toolaudit.model import Behavior, Mode, Policy, Rule, Source
from toolaudit.reporting.text import Paint, plain
from toolaudit.settings import SettingsError

SCHEMA = 1
_COLOURS = {Behavior.ALLOW: "green", Behavior.ASK: "yellow", Behavior.DENY: "red"}


def write(
    policy: Policy, mode: Mode, why: str, settings: Sequence[Setting], faults: Sequence[SettingsError], stream: TextIO
) -> None:
    paint = Paint(stream)
    for line in _lines(policy, mode, why, settings, faults, paint):
        print(line.rstrip(), file=stream)


def _lines(
    policy: Policy, mode: Mode, why: str, settings: Sequence[Setting], faults: Sequence[SettingsError], paint: Paint
) -> Iterator[str]:
    for fault in faults:
        yield paint(
            f"could not be read: {plain(fault.file)}:{fault.line}:{fault.column}: {plain(fault.message)}", "red"
        )
    yield f"{paint('mode', bold=True)}  {mode} ({plain(why)})"
    yield ""
    yield paint(f"rules in force ({len(policy.rules):,})", bold=True)
    for number, rule in enumerate(policy.rules, 1):
        word = paint(f"{rule.behavior:5}", _COLOURS[rule.behavior])
        yield f"  {number:4}  {word}  {plain(masked(rule.text))}  {paint(plain(_where(rule.source)), 'dim')}"
    if policy.ignored:
        yield ""
        yield paint(f"rules that are ignored ({len(policy.ignored):,})", bold=True)
    for number, (rule, reason) in enumerate(policy.ignored, len(policy.rules) + 1):
        yield f"  {number:4}  {rule.behavior:5}  {plain(masked(rule.text))}  {paint(plain(_where(rule.source)), 'dim')}"
        yield f"        {paint(plain(reason), 'yellow')}"
    if policy.hooks:
        yield ""
        yield paint(f"hooks ({len(policy.hooks):,})", bold=True)
    for hook in policy.hooks:
        shown = plain(masked(hook.command))
        yield f"  {hook.event}  {plain(hook.matcher or '*')}  {shown}  {paint(plain(_where(hook.source)), 'dim')}"
    if settings:
        yield ""
        yield paint(f"settings ({len(settings):,})", bold=True)
    for one in settings:
        value = plain(masked(json.dumps(one.value, ensure_ascii=False)))
        status = paint(plain(one.status), "dim" if one.status in ("wins", "joined") else "yellow")
        yield f"  {plain(one.key)} = {value}  {status}  {paint(plain(_where(one.source)), 'dim')}"


def _where(source: Source) -> str:
    return f"{source.scope}, {source}" if source.file is not None else str(source)


def write_json(
    policy: Policy, mode: Mode, why: str, settings: Sequence[Setting], faults: Sequence[SettingsError], stream: TextIO
) -> None:
    whole = {
        "type": "policy",
        "schema": SCHEMA,
        "mode": mode,
        "mode_why": why,
        "rules": [{"number": number, **_rule(rule)} for number, rule in enumerate(policy.rules, 1)],
        "ignored_rules": [{**_rule(rule), "why": reason} for rule, reason in policy.ignored],
        "directories": [{"path": one.path, "source": _source(one.source)} for one in policy.directories],
        "hooks": [
            {
                "event": one.event,
                "matcher": one.matcher,
                "if": one.condition,
                "type": one.type,
                "command": one.command,
                "source": _source(one.source),
            }
            for one in policy.hooks
        ],
        "settings": [
            {"key": one.key, "value": one.value, "status": one.status, "source": _source(one.source)}
            for one in settings
        ],
        "unreadable": [
            {"file": fault.file, "line": fault.line, "column": fault.column, "message": fault.message}
            for fault in faults
        ],
    }
    stream.write(masked(json.dumps(whole, indent=2)) + "\n")


def _rule(rule: Rule) -> dict[str, Any]:
    return {"behavior": rule.behavior, "rule": rule.text, "tool": rule.tool, "source": _source(rule.source)}


def _source(source: Source) -> dict[str, Any]:
    return {"scope": source.scope, "file": source.file, "line": source.line, "column": source.column}
