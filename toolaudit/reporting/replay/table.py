"""The report for a person at a terminal: first what would change, then what decides, last what was wrong."""

from __future__ import annotations

import io
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from toolaudit.model import Behavior, Finding, Mode, Rule
from toolaudit.replay import Change, Group, Replay, Report
from toolaudit.replay.report import Counts
from toolaudit.replay.truth import Score
from toolaudit.reporting.replay.places import Places
from toolaudit.reporting.replay.unknowns import unknowns
from toolaudit.reporting.text import colour_wanted, plain
from toolaudit.transcripts import RecordedOutcome

STYLES = {
    Behavior.ALLOW: "green",
    Behavior.ASK: "yellow",
    Behavior.DENY: "red",
    Behavior.REMOVED: "red",
    Behavior.INVALID: "magenta",
}

CHANGES = {
    Change.NOW_ALLOWED: ("red", "refused then and would run now, unasked", "was refused then and would run now"),
    Change.NOW_DENIED: ("red", "ran then and would be refused now", "ran then and would be refused now"),
    Change.NOW_ASKED: ("yellow", "ran then and would be asked about now", "ran then and would be asked about now"),
    Change.CLASSIFIED: ("yellow", "ran then and would be left to the classifier now", ""),
}
"""Style, the end of the sentence that starts with a number of calls, and of one that starts with `No call`, if any."""

THEN = {
    RecordedOutcome.EXECUTED: "ran",
    RecordedOutcome.EXECUTED_ERROR: "ran and failed",
    RecordedOutcome.USER_REJECTED: "refused by a person",
    RecordedOutcome.RULE_DENIED: "denied by a rule",
    RecordedOutcome.HOOK_DENIED: "denied by a hook",
    RecordedOutcome.ASK_UNANSWERED: "prompt without an answer",
    RecordedOutcome.MODE_DENIED: "denied by the mode",
    RecordedOutcome.PATH_BLOCKED: "blocked by a path guard",
    RecordedOutcome.AUTOMODE_BLOCKED: "blocked by the classifier",
    RecordedOutcome.AUTOMODE_UNAVAILABLE: "classifier unavailable",
    RecordedOutcome.CANCELLED: "cancelled",
    RecordedOutcome.VALIDATION_ERROR: "invalid",
    RecordedOutcome.NO_RESULT: "no result",
    RecordedOutcome.UNKNOWN: "unknown",
}
"""What the recording says, in a reader's words."""

_BAR = 30
_COLUMN = 8
_INDENT = 7


def write(
    replay: Replay, stream: TextIO, clean: Callable[[str], str], *, title: str, show: int = 10, width: int | None = None
) -> Report:
    """Run `replay` to its end and write its report; `title` says what it was held against.

    `show` examples of each kind are given, and twice as many rows of a table.
    """
    deque(replay, maxlen=0)
    report = replay.report()
    colour = colour_wanted(stream)
    console = Console(
        file=io.StringIO(),
        width=width or Console(file=stream).width,
        force_terminal=colour,
        no_color=not colour,
        color_system="standard" if colour else None,
        markup=False,
        highlight=False,
        emoji=False,
    )
    page = _Page(report, console, clean, show)
    page.write(plain(clean(title)))
    assert isinstance(console.file, io.StringIO)
    stream.writelines(f"{line.rstrip(' ')}\n" for line in console.file.getvalue().removesuffix("\n").split("\n"))
    return report


class _Page:
    """One report on one console. Text of the input reaches the console through `_text` or `_cell` alone."""

    def __init__(self, report: Report, console: Console, clean: Callable[[str], str], show: int) -> None:
        self._report = report
        self._console = console
        self._clean = clean
        self._show = show
        rules = [*(use.rule for use in report.rules), *report.unused, *(rule for rule, _ in report.ignored)]
        self._settings = Places(rule.source.file for rule in rules if rule.source.file is not None)
        groups = [group for change in report.changes.values() for group in change.shown]
        self._sessions = Places(group.file for group in groups)

    def write(self, title: str) -> None:
        report = self._report
        self._line((f"{_many(report.calls, 'call')}", "bold"), f" of {_many(report.sessions, 'session')} under {title}")
        if report.calls:
            self._decisions()
            for change in CHANGES:
                self._change(change)
            self._classifier()
            self._rules()
            self._counts("tool", report.tools)
            self._counts("mode", report.modes)
            self._counts("decided by", report.stages)
            self._counts("not readable as a list of commands", report.complexities)
            self._strangers()
            self._recorded()
        self._findings()
        self._input()

    def _text(self, text: str) -> str:
        return plain(self._clean(text))

    def _cell(self, text: str, style: str = "") -> Text:
        return Text(self._text(text), style=style)

    def _line(self, *parts: str | tuple[str, str] | Text) -> None:
        self._console.print(Text.assemble(*parts), soft_wrap=True)

    def _heading(self, text: str, style: str = "bold", note: str = "") -> None:
        self._console.print()
        self._line((text, style), (f"  {self._text(note)}" if note else "", "dim"))

    def _decisions(self) -> None:
        self._console.print()
        table = _grid("", ">", ">", "")
        for behavior in Behavior:
            calls = self._report.behaviors.get(behavior, 0)
            if calls:
                style = STYLES[behavior]
                share = calls / self._report.calls
                bar = "█" * round(share * _BAR) or "▏"
                table.add_row(Text(behavior, f"bold {style}"), f"{calls:,}", _percent(share), Text(bar, style))
        self._console.print(table)

    def _change(self, change: Change) -> None:
        style, some, none = CHANGES[change]
        groups = self._report.changes[change]
        if not groups.total:
            if none:
                self._heading(f"No call {none}", "green")
            return
        base = f"sessions below {self._sessions.base}" if self._sessions.base else ""
        self._heading(f"{_many(groups.total, 'call')} {some}", f"bold {style}", base)
        for group in groups.shown[: self._show]:
            self._group(group)
        self._more(groups.total - sum(group.count for group in groups.shown[: self._show]), "call")

    def _group(self, group: Group) -> None:
        head = Text.assemble(f"{group.count:5,}  ", (f"{self._text(group.tool)}  ", "bold"), self._cell(group.subject))
        if group.rule is not None:
            why, where = f" by {group.rule.text}", f"  {self._settings.source(group.rule.source)}"
        else:
            why, where = f": {group.why}", ""
        verdict = Text.assemble(" " * _INDENT, (group.behavior, STYLES[group.behavior]), self._cell(why))
        verdict.append(self._text(where), "dim")
        then = f"{THEN[group.outcome]} in {self._sessions.at(group.file, group.line)}"
        together = verdict.cell_len + len(then) + 3 <= self._console.width
        if together:
            verdict.append(f" · {self._text(then)}", "dim")
        for line in (head, verdict):
            line.truncate(self._console.width, overflow="ellipsis")
            self._console.print(line, no_wrap=True)
        if not together:
            self._line(" " * _INDENT, self._cell(then, "dim"))

    def _classifier(self) -> None:
        """How calls fared in modes with a classifier, and what hangs on it."""
        use = self._report.classifier
        if use is None:
            return
        asked = sum(sum(answers.values()) for answers in use.stages.values())
        self._heading("The classifier", note=f"{_many(asked, 'call')} reached it, {use.fast:,} were settled before")
        for stage, answers in use.stages.items():
            told = ", ".join(f"{count:,} {answer}" for answer, count in answers.items())
            self._line(f"{sum(answers.values()):5,}  ", self._cell(f"{stage}: {told}"))
        for category, count in list(use.categories.items())[: self._show]:
            self._line(f"{count:5,}  ", self._cell(f"blocked for {category or 'no category'}", "dim"))
        self._more(len(use.categories) - self._show, "row")
        if use.usage.input_tokens or use.usage.output_tokens:
            cost = f", {use.usage.dollars:,.2f} dollars" if use.usage.dollars else ""
            self._line(
                " " * _INDENT,
                f"{use.usage.input_tokens:,} tokens in, {use.usage.output_tokens:,} out{cost}, {use.seconds:,.1f} s",
            )
        for name, groups in use.flips.items():
            self._heading(f"{_many(groups.total, 'call')} would be decided otherwise if {self._if(name)}")
            for group in groups.shown[: self._show]:
                self._group(group)
            self._more(groups.total - sum(group.count for group in groups.shown[: self._show]), "call")

    @staticmethod
    def _if(name: str) -> str:
        return f"the {name.replace('mode ', 'mode were ')}" if name.startswith("mode ") else name

    def _rules(self) -> None:
        report, rows = self._report, self._show * 2
        base = f"settings below {self._settings.base}" if self._settings.base else ""
        if report.rules:
            self._heading("Rules that decided", note=base)
            table = _grid(">", ">", "", "", "", header=("calls", "parts", "", "rule", "where"))
            for use in report.rules[:rows]:
                table.add_row(_number(use.decided), _number(use.in_parts), *self._rule(use.rule))
            self._console.print(table)
            self._more(len(report.rules) - rows, "rule")
        if report.unused:
            self._heading("Rules never hit", note="" if report.rules else base)
            table = _grid("", "", "")
            for rule in report.unused[:rows]:
                table.add_row(*self._rule(rule))
            self._console.print(table)
            self._more(len(report.unused) - rows, "rule")
        if report.ignored:
            self._heading("Rules without effect")
            for rule, why in report.ignored[:rows]:
                self._line(*self._spaced(self._rule(rule)))
                self._line(" " * _INDENT, self._cell(why, "dim"))
            self._more(len(report.ignored) - rows, "rule")

    def _rule(self, rule: Rule) -> tuple[Text, Text, Text]:
        where = self._settings.source(rule.source)
        return Text(rule.behavior, STYLES[rule.behavior]), self._cell(rule.text), self._cell(where, "dim")

    @staticmethod
    def _spaced(parts: Iterable[Text]) -> list[str | Text]:
        return [item for part in parts for item in (part, "  ")]

    def _counts(self, name: str, counted: Mapping[str, Counts] | Mapping[Mode, Counts]) -> None:
        if not counted:
            return
        behaviors = [one for one in Behavior if any(counts.get(one) for counts in counted.values())]
        self._console.print()
        table = _grid("", ">", *(">" for _ in behaviors), header=(name, "calls", *behaviors))
        for key, counts in list(counted.items())[: self._show * 2]:
            numbers = [
                Text(_number(counts.get(one, 0)), STYLES[one] if counts.get(one) else "dim") for one in behaviors
            ]
            table.add_row(self._cell(key), f"{sum(counts.values()):,}", *numbers)
        self._console.print(table)
        self._more(len(counted) - self._show * 2, "row")

    def _strangers(self) -> None:
        strangers = self._report.strangers
        if not strangers:
            return
        calls = sum(strangers.values())
        self._heading(f"{_many(calls, 'call')} not decided: the client has no tool that does the same")
        for name, count in list(strangers.items())[: self._show]:
            self._line(f"{count:5,}  ", self._cell(name))
        self._more(len(strangers) - self._show, "tool")

    def _recorded(self) -> None:
        """The decisions against the recordings: one line for each thing a recording can say."""
        report = self._report
        self._heading("What the recordings say, and how far the policy agrees")
        shown = [one for one in Score if any(count.scores.get(one) for count in report.truths)]
        wide = max((len(count.truth) for count in report.truths), default=0)
        self._line((f"{'':{wide}}  {'calls':>{_COLUMN}}{''.join(f'{one:>{_COLUMN}}' for one in shown)}", "dim"))
        for count in report.truths:
            numbers = "".join(f"{_number(count.scores.get(one, 0)):>{_COLUMN}}" for one in shown)
            grounds, marker = next(iter(count.markers))
            rest = f" (+{len(count.markers) - 1:,})" if len(count.markers) > 1 else ""
            row = Text(f"{count.truth:{wide}}  {count.calls:>{_COLUMN},}{numbers}  ")
            row.append(self._text(f"{marker}{rest}, {grounds}"), "dim")
            row.truncate(self._console.width, overflow="ellipsis")
            self._console.print(row, no_wrap=True)
        for line in unknowns(report):
            self._line((line, "dim"))

    def _findings(self) -> None:
        report = self._report
        dead = {rule.source for rule, _ in report.ignored}
        others = [finding for finding in report.policy_findings if finding.source not in dead]
        if report.findings or others:
            self._heading("For review")
        for (name, message), calls in list(report.findings.items())[: self._show]:
            self._line(f"{calls:5,}  ", self._cell(name, "bold"), "  ", self._cell(message))
        self._more(len(report.findings) - self._show, "finding")
        for finding in others[: self._show]:
            self._finding(finding)
        self._more(len(others) - self._show, "finding")

    def _finding(self, finding: Finding) -> None:
        where = f"{self._settings.source(finding.source)}: " if finding.source is not None else ""
        self._line((finding.severity, "bold"), "  ", self._cell(where + finding.message))

    def _input(self) -> None:
        report = self._report
        self._heading("Input")
        for name, (files, calls) in report.formats.items():
            self._line(f"{_many(files, 'file')} in format {name} with {_many(calls, 'call')}")
        self._line(
            f"{_many(report.lines, 'line')} read, {_many(report.copies, 'copy')} of calls left out, "
            f"{_many(report.sidechain_calls, 'call')} by sub-agents"
        )
        places = Places(one.file for damage in report.troubles for one in damage.shown)
        if report.troubles and places.base:
            self._line((f"places below {self._text(places.base)}", "dim"))
        for damage in report.troubles:
            self._line(f"{damage.total:5,}  ", (damage.trouble, "yellow"))
            for one in damage.shown[:3]:
                self._line(" " * _INDENT, self._cell(f"{places.at(one.file, one.line)}: {one.detail}", "dim"))
            self._more(damage.total - min(3, len(damage.shown)), "place")

    def _more(self, count: int, what: str) -> None:
        if count > 0:
            self._line((f"{' ' * _INDENT}and {count:,} more {what}{'' if count == 1 else 's'}", "dim"))


def _grid(*columns: str, header: Sequence[str] = ()) -> Table:
    """A table without lines; `>` aligns a column to the right."""
    table = Table(box=None, show_header=bool(header), header_style="dim", pad_edge=False, padding=(0, 2, 0, 0))
    for index, side in enumerate(columns):
        name = Text(header[index]) if header else ""
        table.add_column(name, justify="right" if side == ">" else "left", overflow="fold")
    return table


def _many(count: int, what: str) -> str:
    if count == 1:
        return f"1 {what}"
    return f"{count:,} {what[:-1]}ies" if what.endswith("y") else f"{count:,} {what}s"


def _number(count: int) -> str:
    return f"{count:,}" if count else "·"


def _percent(share: float) -> str:
    return f"{share:.0%}" if share >= 0.01 or not share else "<1%"
