"""The agreement report: a Markdown file one section a comparison, each written by a command."""

from __future__ import annotations

import re
from pathlib import Path

from toolaudit.conformance import Agreement, Tally
from toolaudit.reporting.text import plain

HEAD = """\
# Agreement with the real client

Each section is one comparison of our decisions with recorded ones of the client, written by the command under its
title. *Unsafe*: we allow, the client does not. *Noisy*: we stop what the client lets run. *Reason*: the share of
agreeing asks and denials whose reason type is the client's as well.
"""

OVERVIEW = """
| recording | client | decisions | agreement | unsafe | noisy | reason |
|---|---|---:|---:|---:|---:|---:|
"""

_SECTION = re.compile(r"^## ", re.MULTILINE)
_TITLE = re.compile(r"(.+), client (\S+)")
_HEADLINE = re.compile(
    r"\*\*([\d.]+%)\*\* of ([\d,]+) decisions agree; unsafe (\d+), noisy (\d+); reason type ([\d.]+%)"
)


def update(path: Path, title: str, command: str, agreement: Agreement) -> None:
    """Put the section `title` into the report at `path`, in place of an earlier one, or at its place by title."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    sections = {part.partition("\n")[0]: part for part in _SECTION.split(text)[1:]}
    sections[title] = _section(title, command, agreement)
    ordered = [sections[name] for name in sorted(sections)]
    overview = OVERVIEW + "".join(map(_summary, ordered))
    path.write_text(HEAD + overview + "".join(f"\n## {part.rstrip()}\n" for part in ordered), encoding="utf-8")


def _summary(section: str) -> str:
    """The row of the overview for a section: its recording, the client's version, and the headline."""
    title = section.partition("\n")[0]
    named, headline = _TITLE.fullmatch(title), _HEADLINE.search(section)
    recording, client = named.groups() if named is not None else (title, "")
    agreement, cases, unsafe, noisy, reason = headline.groups() if headline is not None else ("",) * 5
    return f"| {recording} | {client} | {cases} | {agreement} | {unsafe} | {noisy} | {reason} |\n"


def _section(title: str, command: str, agreement: Agreement) -> str:
    total = agreement.total
    lines = [
        title,
        "",
        f"    {command}",
        "",
        f"**{total.agreement:.2%}** of {total.cases:,} decisions agree; unsafe {total.unsafe}, noisy {total.noisy}; "
        f"reason type {total.reason_agreement:.2%}.",
        "",
        "| | cases | agreement | unsafe | noisy | reason |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for tallies in (agreement.by_tool, agreement.by_mode):
        lines += [_row(name, tally) for name, tally in sorted(tallies.items(), key=lambda item: -item[1].cases)]
    lines += [
        f"\n- {count} decided {ours} here, {theirs} by the client"
        for (ours, theirs), count in agreement.kinds.most_common()
    ]
    return "\n".join(lines) + "\n"


def _row(name: str, tally: Tally) -> str:
    return (
        f"| {plain(name)} | {tally.cases:,} | {tally.agreement:.2%} | {tally.unsafe} | {tally.noisy} | "
        f"{tally.reason_agreement:.2%} |"
    )
