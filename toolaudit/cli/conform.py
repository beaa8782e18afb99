from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolaudit.cli.policy import add_version_option

if TYPE_CHECKING:
    from toolaudit.conformance import Case
    from toolaudit.conformance.live import Client, Recording
    from toolaudit.model.versions import Version

EXAMPLES = """\
examples:
  toolaudit conform cases.jsonl decisions.jsonl
  toolaudit conform cases.jsonl decisions.jsonl --show 20 --json
  toolaudit conform cases.jsonl --client "$(command -v claude)" --record decisions.jsonl
  toolaudit conform cases.jsonl decisions.jsonl --client "$(command -v claude)" --minimise 5
  toolaudit conform cases.jsonl --versions old.jsonl new.jsonl
  toolaudit conform cases.jsonl decisions.jsonl --report reports/fidelity.md

CASES.jsonl has the format of 'toolaudit decide'; DECISIONS.jsonl holds a recorded answer a line: id, decision,
reason_type, reason. "unsafe" counts calls that are allowed here and not by the client, "noisy" the other way round.

--client asks a client that is installed here instead. It runs in namespaces with loopback only, a private home, working
directory and /tmp, and everything else read-only; it gets no account, no settings and no environment of yours; a
stand-in on loopback plays the model, prompts are denied, and its shell is a stub, so that what it allows runs nothing.
Linux 5.12 or later, and root or unprivileged user namespaces, are needed; cases with a sandbox need bubblewrap and
socat. Cases that differ in tool and input only share a process, in their order. With --record, cases that the file has
an answer for are not asked again, so that an interrupted run is taken up by the same command. Decisions are compared
with what that version of the client does, unless --client-version names another.

exit codes: 0 thresholds met (--versions: nothing changed), 1 agreement below --min-agreement, unsafe above
--max-unsafe, a case that could not be asked (--versions: something changed), 2 wrong usage, or no client that can be
asked in isolation
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument("cases", metavar="CASES.jsonl", help="the cases; - reads standard input")
    parser.add_argument("decisions", metavar="DECISIONS.jsonl", nargs="?", help="the recorded decisions of the client")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of tables")
    parser.add_argument(
        "--show", type=int, default=0, metavar="N", help="print N disagreements, each with both reasons"
    )
    parser.add_argument("--reasons", action="store_true", help="with --show: disagreements of the reason type instead")
    parser.add_argument("--only", metavar="TEXT", help="only cases whose id contains TEXT")
    parser.add_argument("--min-agreement", type=float, default=0.0, metavar="PERCENT")
    parser.add_argument("--max-unsafe", type=float, default=100.0, metavar="PERCENT")
    parser.add_argument(
        "--report", type=Path, metavar="FILE.md", help="write the agreement into this report, as a section of its own"
    )
    add_version_option(parser)
    parser.set_defaults(client_version=None)
    live = parser.add_argument_group("asking a client that is installed here")
    live.add_argument("--client", metavar="PATH", help="the client's program, by path or by name")
    live.add_argument("--record", type=Path, metavar="OUT.jsonl", help="write its decisions there, batch by batch")
    live.add_argument(
        "--minimise", type=_count, metavar="N", help="for N disagreements: the least that the two still disagree about"
    )
    live.add_argument("--jobs", type=_count, default=1, metavar="N", help="client processes at a time (default: 1)")
    live.add_argument(
        "--timeout",
        type=_count,
        default=120,
        metavar="SECONDS",
        help="stop a client process that answers nothing for this long, and go on behind the call (default: 120)",
    )
    parser.add_argument(
        "--versions",
        nargs=2,
        type=Path,
        metavar=("A.jsonl", "B.jsonl"),
        help="compare two recordings of the cases with each other: what did another version of the client change?",
    )


def run(args: argparse.Namespace) -> int:
    from toolaudit.conformance.live import ClientUnavailable

    problem = _misuse(args)
    if problem:
        print(f"toolaudit conform: {problem}", file=sys.stderr)
        return 2
    try:
        if args.versions:
            return _versions(args)
        return _minimise(args) if args.minimise else _compare(args)
    except (OSError, ValueError, ClientUnavailable) as error:
        print(f"toolaudit conform: {error}", file=sys.stderr)
        return 2


def _count(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"expected a positive number, got {text!r}")
    return int(text)


def _misuse(args: argparse.Namespace) -> str | None:
    sources = [args.decisions is not None, args.client is not None and not args.minimise, args.versions is not None]
    if args.minimise and args.client is None:
        return "--minimise asks the client: name it with --client"
    if args.record and args.client is None:
        return "--record writes what a client decides: name it with --client"
    if sources.count(True) > 1 or not (any(sources) or args.minimise):
        return "expected one of DECISIONS.jsonl, --client and --versions"
    return None


def _compare(args: argparse.Namespace) -> int:
    from toolaudit.cli.decide import decided
    from toolaudit.conformance import compare
    from toolaudit.reporting import agreement as report

    lines = _lines(args.cases)
    recorded, version = _answers(args, _cases(lines, args.only), _client(args) if args.client else None)
    ours = [entry for entry in decided(lines, version) if not args.only or args.only in str(entry["id"])]
    errors = [entry for entry in ours if "error" in entry]
    for error, entries in groupby(errors, key=itemgetter("error")):  # cases of one base share what is wrong with it
        places = [entry["line"] for entry in entries]
        told = f"line {places[0]}" if len(places) == 1 else f"{len(places)} cases, lines {places[0]} to {places[-1]}"
        print(f"{told}: {error}", file=sys.stderr)
    agreement = compare((entry, recorded.get(str(entry["id"]))) for entry in ours if "error" not in entry)
    if args.report:
        from toolaudit.reporting import fidelity

        against = args.client or args.decisions
        command = f"toolaudit conform {args.cases} {against} --client-version {version}"
        fidelity.update(args.report, f"{args.cases}, client {version}", command, agreement)
    if args.json:
        print(json.dumps(report.summary(agreement), indent=2))
    else:
        report.write(agreement, sys.stdout, show=args.show, reasons=args.reasons)
    total = agreement.total
    unsafe = 100 * total.unsafe / total.cases if total.cases else 0.0
    unasked = args.client is not None and any(name not in recorded for name in agreement.unanswered)
    return int(bool(errors) or unasked or 100 * total.agreement < args.min_agreement or unsafe > args.max_unsafe)


def _versions(args: argparse.Namespace) -> int:
    from toolaudit.conformance.changes import changes
    from toolaudit.conformance.live import read_records
    from toolaudit.reporting import changes as report

    cases = {case.id: case for case in _cases(_lines(args.cases), args.only)}
    before, after = (
        {name: record for name, record in read_records(path).items() if name in cases} for path in args.versions
    )
    found = changes(before, after)
    if args.json:
        print(json.dumps(report.summary(found, cases), indent=2))
    else:
        report.write(found, cases, sys.stdout, show=args.show)
    return int(bool(found.decisions))


def _minimise(args: argparse.Namespace) -> int:
    from toolaudit.conformance.disagreements import chosen
    from toolaudit.conformance.minimise import minimise
    from toolaudit.conformance.sides import client_asker, resolver
    from toolaudit.reporting import minimal
    from toolaudit.reporting.progress import shown

    lines = _lines(args.cases)
    cases = _cases(lines, args.only)
    client = _client(args)
    recorded, version = _answers(args, cases, client)
    picked = chosen(cases, recorded, args.minimise, version)
    ask = client_asker(client, jobs=args.jobs, complain=_complain)
    found = []
    with shown("disagreements", len(picked), sys.stderr) as advance:
        for one in minimise(picked, resolver(version), ask):
            advance(1)
            if args.json:
                found.append(minimal.summary(one))
            else:
                minimal.write(one, sys.stdout)
                sys.stdout.flush()
    if args.json:
        print(json.dumps({"schema": 1, "disagreements": found}, indent=2))
    return int(bool(picked))


def _client(args: argparse.Namespace) -> Client:
    from toolaudit.conformance.live import Client

    return Client.locate(args.client, float(args.timeout))


def _answers(
    args: argparse.Namespace, cases: Sequence[Case], client: Client | None
) -> tuple[Mapping[str, Mapping[str, Any]], Version]:
    """What the client decides, recorded or asked now, and the version to decide as."""
    from dataclasses import asdict

    from toolaudit.conformance.live import read_records
    from toolaudit.model.versions import NEWEST, Version

    version = args.client_version or (Version.parse(client.version) if client else NEWEST)
    if args.decisions is not None or client is None:
        records = read_records(Path(args.decisions))
    else:
        records = _measured(args, cases, client).records
    return {name: asdict(record) for name, record in records.items()}, version


def _measured(args: argparse.Namespace, cases: Sequence[Case], client: Client) -> Recording:
    """What `client` decides about `cases`; with --record, all that the file then holds."""
    from toolaudit.conformance.live import Recording, measure
    from toolaudit.reporting.progress import shown

    recording = Recording(args.record)
    recording.expect(client.version)
    with shown("cases", len(cases), sys.stderr) as advance:
        advance(sum(case.id in recording.records for case in cases))
        try:
            for records in measure(client, cases, jobs=args.jobs, known=set(recording.records), complain=_complain):
                recording.add(records)
                advance(len(records))
        except KeyboardInterrupt:
            kept = f"{args.record} keeps" if args.record else "without --record nothing keeps"
            print(f"{kept} the {len(recording.records)} decisions so far", file=sys.stderr)
            raise
    recording.sort(case.id for case in cases)
    return recording


def _complain(message: str) -> None:
    from toolaudit.reporting.text import plain

    print(plain(message), file=sys.stderr)


def _lines(path: str) -> list[str]:
    from toolaudit.cli.decide import _input

    with _input(path) as lines:
        return list(lines)


def _cases(lines: Sequence[str], only: str | None) -> list[Case]:
    """The cases; lines that are none are left to the comparison, which tells of them."""
    from toolaudit.conformance import Case, read_cases

    cases = [case for case in read_cases(lines) if isinstance(case, Case)]
    return [case for case in cases if not only or only in case.id]
