from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Final, TextIO

from toolaudit import CLIENT_VERSION, __version__
from toolaudit.checks import checks
from toolaudit.checks.masking import masked
from toolaudit.model import Behavior, Finding, Policy, Rule
from toolaudit.replay import Report
from toolaudit.replay.record import Change
from toolaudit.reporting.html.calls import Calls
from toolaudit.reporting.html.flow import drawing
from toolaudit.reporting.text import plain

_HERE: Final = Path(__file__).parent
FILTERS: Final = ("decision", "stage", "tool", "rule", "session")
MOST_FINDINGS: Final = 500


def write(
    stream: TextIO, *, title: str, report: Report, policy: Policy, findings: Sequence[Finding], calls: Calls
) -> None:
    """Write the page: a replay's `report`, the `policy` it was made with, what lint found in it, and the `calls`."""
    style = (_HERE / "style.css").read_text(encoding="utf-8")
    script = (_HERE / "script.js").read_text(encoding="utf-8")
    for part in _page(title, report, policy, findings, calls, style, script):
        stream.write(part + "\n")


def text(value: object) -> str:
    """`value` as text of an HTML page: no markup, nothing hidden, no secret, no half of a surrogate pair."""
    return escape(plain(masked(str(value))))


def _hash(content: str) -> str:
    return base64.b64encode(hashlib.sha256(content.encode("utf-8")).digest()).decode("ascii")


def _page(
    title: str, report: Report, policy: Policy, findings: Sequence[Finding], calls: Calls, style: str, script: str
) -> Iterator[str]:
    security = (
        f"default-src 'none'; style-src 'sha256-{_hash(style)}'; script-src 'sha256-{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    yield "<!doctype html>"
    yield '<html lang="en">'
    yield "<head>"
    yield '<meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{security}">'
    yield '<meta name="referrer" content="no-referrer">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{text(title)}</title>"
    yield f"<style>{style}</style>"
    yield "</head>"
    yield "<body>"
    yield from _summary(title, report)
    yield "<h2>Where calls are decided</h2>"
    yield "<p>Each stage settles some calls and passes the others on. The band is what is left.</p>"
    yield drawing(report.stages) if report.stages else "<p>There are no calls.</p>"
    yield from _changes(report)
    yield from _rules(report, policy, findings)
    yield from _findings(findings)
    yield from _tools(report)
    yield from _calls(calls)
    yield f'<p class="soft">Made by toolaudit {__version__}, as client {CLIENT_VERSION} decides.</p>'
    yield f'<script type="application/json" id="calls-data">{calls.block()}</script>'
    yield f"<script>{script}</script>"
    yield "</body>"
    yield "</html>"


def _summary(title: str, report: Report) -> Iterator[str]:
    yield f"<h1>{text(title)}</h1>"
    size = f"{report.calls:,} calls of {report.sessions:,} sessions in {report.files:,} files"
    yield f'<p class="soft">{size}, each decided once under the policy. Nothing was run.</p>'
    yield '<div class="cards">'
    for behavior in Behavior:
        number = report.behaviors.get(behavior, 0)
        if number or behavior in (Behavior.ALLOW, Behavior.ASK, Behavior.DENY):
            share = f"{number / report.calls:.0%}" if report.calls else ""
            yield f'<div class="card {behavior}"><b>{number:,}</b>{behavior} <span class="soft">{share}</span></div>'
    yield "</div>"


def _changes(report: Report) -> Iterator[str]:
    yield "<h2>What would be different</h2>"
    told = False
    for change in (Change.NOW_ALLOWED, Change.NOW_DENIED, Change.NOW_ASKED):
        groups = report.changes.get(change)
        if groups is None or not groups.total:
            continue
        told = True
        yield f"<details{' open' if change is Change.NOW_ALLOWED else ''}>"
        yield f"<summary>{text(change)}: {groups.total:,} calls</summary>"
        yield '<div class="inside wide"><table><tbody>'
        for group in groups.shown[:20]:
            yield (
                f'<tr><td class="number">{group.count:,}</td><td><code>{text(group.subject[:300])}</code><br>'
                f'<span class="soft">{text(group.why[:300])}</span></td></tr>'
            )
        yield "</tbody></table></div></details>"
    if not told:
        yield "<p>Nothing: every call would end as it did.</p>"


def _rules(report: Report, policy: Policy, findings: Iterable[Finding]) -> Iterator[str]:
    uses = {_key(use.rule): use for use in report.rules}
    found: dict[tuple[object, ...], list[Finding]] = {}
    for finding in findings:
        if finding.rule is not None:
            found.setdefault(_key(finding.rule), []).append(finding)
    used = sum(_key(rule) in uses for rule in policy.rules)
    yield "<h2>Rules</h2>"
    share = f" ({used / len(policy.rules):.0%})" if policy.rules else ""
    yield f"<p>{used:,} of {len(policy.rules):,} rules in force{share} decided a call or a part of one.</p>"
    yield '<div class="wide"><table class="rules"><thead><tr><th>list</th><th class="number">decided</th>'
    yield '<th class="number">in parts</th><th>rule</th><th>lint</th></tr></thead><tbody>'
    ignored = [rule for rule, _ in policy.ignored]
    ordered = sorted(policy.rules, key=lambda rule: -(uses[_key(rule)].decided if _key(rule) in uses else -1))
    for rule in (*ordered, *ignored):
        use = uses.get(_key(rule))
        decided, in_parts = (use.decided, use.in_parts) if use is not None else (0, 0)
        lint = " ".join(
            f'<span class="tag {one.severity}" title="{text(one.message)}">{one.id}</span>'
            for one in found.get(_key(rule), ())
        )
        dead = ' <span class="soft">(ignored)</span>' if rule in ignored else ""
        yield (
            f'<tr class="{"used" if decided or in_parts else "unused"}">'
            f'<td><span class="tag {rule.behavior}">{rule.behavior}</span></td>'
            f'<td class="number" data-unit=" decided">{decided:,}</td>'
            f'<td class="number" data-unit=" in parts">{in_parts:,}</td>'
            f'<td class="rule"><code>{text(rule.text)}</code>{dead}<br>'
            f'<span class="soft">{text(rule.source)}</span></td><td class="found">{lint}</td></tr>'
        )
    yield "</tbody></table></div>"


def _key(rule: Rule) -> tuple[object, ...]:
    return rule.behavior, rule.text, rule.source


def _findings(findings: Sequence[Finding]) -> Iterator[str]:
    yield "<h2>What lint found</h2>"
    if not findings:
        yield "<p>Nothing.</p>"
        return
    titles = {check.id: check.title for check in checks()}
    by_check: dict[str, list[Finding]] = {}
    order = ("error", "warning", "note")
    for finding in sorted(findings[:MOST_FINDINGS], key=lambda one: (order.index(one.severity), one.id)):
        by_check.setdefault(finding.id, []).append(finding)
    for id, members in by_check.items():
        severity = members[0].severity
        yield f'<details><summary><span class="tag {severity}">{id}</span> {text(titles.get(id, id))}'
        yield f' <span class="soft">{len(members):,}</span></summary><div class="inside">'
        for one in members:
            yield f"<p><code>{text(one.message)}</code><br>"
            yield f'<span class="soft">{text(one.source or "")} {text(one.help)}</span>'
            if one.witness:
                yield f'<br><span class="soft">try</span> <code>{text(one.witness[:300])}</code>'
            yield "</p>"
        yield "</div></details>"
    if len(findings) > MOST_FINDINGS:
        yield f"<p>And {len(findings) - MOST_FINDINGS:,} more.</p>"


def _tools(report: Report) -> Iterator[str]:
    yield "<h2>Tools and modes</h2>"
    for heading, table in (("tool", report.tools), ("mode", report.modes)):
        yield f'<div class="wide"><table><thead><tr><th>{heading}</th>'
        yield "".join(f'<th class="number">{behavior}</th>' for behavior in Behavior)
        yield "</tr></thead><tbody>"
        for name, counts in list(table.items())[:50]:
            numbers = (counts.get(behavior) for behavior in Behavior)
            cells = "".join(f'<td class="number">{f"{number:,}" if number else ""}</td>' for number in numbers)
            yield f"<tr><td><code>{text(name)}</code></td>{cells}</tr>"
        yield "</tbody></table></div>"


def _calls(calls: Calls) -> Iterator[str]:
    yield "<h2>Calls</h2>"
    if calls.left_out:
        yield f"<p>The first {len(calls):,} are listed; {calls.left_out:,} more are counted above.</p>"
    yield '<form id="calls-filter">'
    for name in FILTERS:
        yield f'<div><label for="by-{name}">{name}</label><select id="by-{name}" name="{name}">'
        yield '<option value="">all</option></select></div>'
    yield '<div><label for="by-text">text</label>'
    yield '<input id="by-text" name="text" type="search" autocomplete="off"></div>'
    yield "</form>"
    yield '<p id="calls-count" class="soft" aria-live="polite">The list needs a script.</p>'
    yield '<div id="calls"></div>'
    yield '<button id="calls-more" type="button" hidden>100 more</button>'
