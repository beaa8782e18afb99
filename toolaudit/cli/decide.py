from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from toolaudit.cli.classifier import ClassifierError, add_classifier_options, complain, opened_classifier
from toolaudit.cli.policy import add_version_option

if TYPE_CHECKING:
    from toolaudit.classifier.stages import Classifier
    from toolaudit.model.versions import Version
    from toolaudit.permissions.request import ClassifierAnswer

EXAMPLES = """\
examples:
  toolaudit decide cases.jsonl
  toolaudit decide - --out decisions.jsonl < cases.jsonl

A case is one JSON object a line: id, tool, input, and whatever of settings (by scope), mode, trusted, files, links,
git, start, mcp and hooks its answer depends on. A line {"base": NAME, "defaults": {...}} names fields for later lines
with "base": NAME. Each case makes one line, in order: id, decision (allow, ask, deny, removed, invalid), stage,
reason_type, rule, source, why, subcommands, findings, trace. A bad line makes a line with "error" and its number.

exit codes: 0 every line was a case, 1 some were not, 2 wrong usage
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument("cases", metavar="CASES.jsonl", help="the cases; - reads standard input")
    parser.add_argument("--out", metavar="FILE", help="write there instead of to standard output")
    parser.add_argument("--redact", action="store_true", help="mask home directories and what looks like a secret")
    add_version_option(parser)
    add_classifier_options(parser)


def run(args: argparse.Namespace) -> int:
    bad = 0
    clean: Callable[[object], object] = _redacted if args.redact else lambda entry: entry
    try:
        with (
            _input(args.cases) as lines,
            _output(args.out) as out,
            opened_classifier(args) as classifier,
        ):
            for entry in decided(lines, args.client_version, classifier or args.classifier):
                bad += "error" in entry
                out.write(json.dumps(clean(entry)) + "\n")
    except ClassifierError as error:
        return complain(error)
    except OSError as error:
        print(f"toolaudit decide: {error.filename}: {(error.strerror or str(error)).lower()}", file=sys.stderr)
        return 2
    if bad:
        print(f"{bad} lines are no cases; each has a line with its error", file=sys.stderr)
    return 1 if bad else 0


def _redacted(entry: object) -> object:
    from toolaudit.reporting.replay.objects import cleaned
    from toolaudit.transcripts.redaction import redact

    return cleaned(entry, redact)


def decided(
    lines: Iterable[str], version: Version | None = None, classifier: ClassifierAnswer | Classifier = "unavailable"
) -> Iterator[dict[str, object]]:
    """A record a case, decided as `version` of the client does; None: as the newest measured.

    A line that is no case, or whose settings can't be used, gets an error record.
    """
    from toolaudit.conformance import BadLine, read_cases
    from toolaudit.conformance.decide import Decider
    from toolaudit.model.versions import NEWEST
    from toolaudit.reporting.records import decision_record
    from toolaudit.settings import SettingsError

    decider = Decider(version or NEWEST, classifier)
    for case in read_cases(lines):
        if isinstance(case, BadLine):
            yield {"id": case.id, "line": case.line, "error": case.message}
            continue
        try:
            decision, mode = decider.decide(case)
        except SettingsError as error:
            yield {"id": case.id, "line": case.line, "error": str(error)}
            continue
        yield {"id": case.id, "tool": case.tool, "mode": mode, **decision_record(decision)}


def _input(path: str) -> TextIO:
    if path == "-":
        return open(sys.stdin.fileno(), encoding="utf-8", errors="surrogateescape", newline="\n", closefd=False)
    return Path(path).open(encoding="utf-8", errors="surrogateescape", newline="\n")


def _output(path: str | None) -> TextIO:
    if path is None:
        return open(sys.stdout.fileno(), "w", encoding="utf-8", closefd=False)
    return Path(path).open("w", encoding="utf-8")
