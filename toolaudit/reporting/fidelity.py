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

_SECTION = re.compile(r"^## ", re.MULTILINE)


def update(path: Path, title: str, command: str, agreement: Agreement) -> None:
    """Put the section `title` into the report at `path`, in place of an earlier one, or at its place by title."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    sections = {part.partition("\n")[0]: part for part in _SECTION.split(text)[1:]}
    sections[title] = _section(title, command, agreement)
    path.write_text(HEAD + "".join(f"\n## {sections[name].rstrip()}\n" for name in sorted(sections)), encoding="utf-8")


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
