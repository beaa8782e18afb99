from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from toolaudit import __version__
from toolaudit.cli.classifier import (
    ClassifierError,
    add_classifier_options,
    asks_alone,
    complain,
    opened_classifier,
)
from toolaudit.cli.extras import extra
from toolaudit.cli.policy import MODES, ProjectPolicies, add_policy_options, add_version_option, load_policy

if TYPE_CHECKING:
    from toolaudit.classifier.stages import Classifier
    from toolaudit.model import Policy
    from toolaudit.replay import Event, Replay, Report, Settings
    from toolaudit.replay.executors import Executor
    from toolaudit.replay.steps import Steps
    from toolaudit.transcripts import Problem
    from toolaudit.transcripts.formats import Format
    from toolaudit.transcripts.inputs import AnyInput

EXAMPLES = """\
examples:
  toolaudit replay ~/.claude/projects/-srv-app --policy .
  toolaudit replay sessions/ --policy .claude/settings.json --mode recorded
  toolaudit replay 'logs/**/*.jsonl.gz' --policy . --deny 'Bash(curl *)' --format json --out report.json
  toolaudit replay ~/.codex/sessions --policy .          (also Copilot, Gemini, OpenCode, pi, OpenHands and others)
  toolaudit replay sessions/ --policy . --mode auto --classifier local --flips
  toolaudit replay archive/ --policy . --resume work/ --format ndjson --out calls.ndjson
  claude -p 'tidy up' --output-format stream-json --verbose | toolaudit replay - --policy . --format ndjson

Every recorded tool call is decided once under the policy; nothing is run, no hook of the policy either. A hook's
recorded denial counts where the policy has a hook that could give it. Project rules are read as if each session's
own project had the policy. Damaged lines and unknown line types are counted and named, and the rest goes on.

exit codes: 0 done, 1 something named could not be read (the rest was), 2 wrong usage, 3 a policy that can't be read
"""

FORMATS = tuple(
    """
    antigravity atif claude-code claude-code-document claude-replay codex copilot-cli droid gemini-cli inspect kimi
    messages mini-swe-agent opencode openhands pi qwen swe-agent
    """.split()
)
"""What `--from` takes: written out, so that help costs no reader."""

_LONG = 8 << 20
"""Bytes of input from which on a progress bar is worth its room."""

_MUCH = 64 << 20
"""Bytes of input from which on several processes are worth their start."""

RESULT_FORMATS = ("junit", "tap", "sarif", "github", "markdown")
"""Formats that tell what changed, rule by rule, and no more."""

_NO_QUESTION = frozenset({"paths", "format", "out", "show", "redact", "jobs", "cluster", "resume", "run", "verb"})
"""Options that no decision depends on."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument(
        "paths", metavar="PATH", nargs="+", help="files (also .gz), folders, globs; - reads standard input"
    )
    parser.add_argument(
        "--mode",
        choices=(*MODES, "recorded"),
        metavar="M",
        help="decide in this mode: default, acceptEdits, plan, dontAsk, bypassPermissions, auto, or recorded, which is "
        "the one each call was made in (default: what the policy sets)",
    )
    parser.add_argument(
        "--interactive",
        action="store_true",
        help="a person is there: after 3 blocks in a row or 20 in all the client asks instead of denying",
    )
    parser.add_argument(
        "--flips",
        action="store_true",
        help="list the calls whose decision would change if the classifier said the opposite, if it were down, or if "
        "the mode were another",
    )
    parser.add_argument("--home", metavar="DIR", help="what ~ means (default: the home each session's project lies in)")
    parser.add_argument(
        "--format",
        choices=("table", "json", "ndjson", "parquet", *RESULT_FORMATS),
        default="table",
        help="default: table",
    )
    parser.add_argument(
        "--out", metavar="FILE", help="write there instead of to standard output; a new directory for parquet"
    )
    parser.add_argument(
        "--from",
        dest="source",
        metavar="FORMAT",
        help=f"read every file in this format, whatever it looks like: {', '.join(FORMATS)}, or one that an installed "
        "package adds (default: told by the content)",
    )
    parser.add_argument(
        "--jobs",
        metavar="N",
        type=_number,
        help="processes that decide (default: one for each core where there is much to read, else this one)",
    )
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        nargs="?",
        const="",
        help="decide on a Ray cluster (auto, ray://HOST:10001), or without ADDRESS on a Ray of this machine",
    )
    parser.add_argument(
        "--resume",
        metavar="DIR",
        help="keep what is decided in DIR, and go on from there if it was interrupted; a cluster's machines share DIR",
    )
    parser.add_argument("--show", metavar="N", type=_number, default=10, help="examples of each kind (default: 10)")
    parser.add_argument("--redact", action="store_true", help="mask home directories and what looks like a secret")
    parser.add_argument(
        "--pipeline",
        action="store_true",
        help="show at which of the fourteen steps of the pipeline each call ends, its recorded result standing in for "
        "the call itself",
    )
    add_version_option(parser)
    add_classifier_options(parser)
    add_policy_options(parser)


def _number(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"expected a number, got {text!r}")
    return int(text)


def run(args: argparse.Namespace) -> int:
    from toolaudit.replay.machine import DEFAULT_ROOT, home_of

    forced = None
    if args.source is not None:
        from toolaudit.transcripts.formats import named

        try:
            forced = named(args.source)
        except ValueError as error:
            print(f"toolaudit replay: --from: {error}", file=sys.stderr)
            return 2
    policy = load_policy(args, cwd=DEFAULT_ROOT, home=args.home or home_of(DEFAULT_ROOT))
    if policy is None:
        return 3
    if args.pipeline and args.format in RESULT_FORMATS:
        print(f"toolaudit replay: --pipeline has no format {args.format}", file=sys.stderr)
        return 2
    if "-" in args.paths and (args.resume is not None or args.cluster is not None):
        # What is read once can neither be read again after an interruption nor by another machine.
        print("toolaudit replay: standard input can't be resumed or shared: save it to a file", file=sys.stderr)
        return 2
    if args.format == "parquet" and args.out is None:
        print("toolaudit replay: --format parquet writes a directory: name one with --out", file=sys.stderr)
        return 2
    from toolaudit.transcripts.inputs import expand

    try:
        inputs = list(expand(args.paths))
        with (
            opened_classifier(args) as classifier,
            _output(None if args.format == "parquet" else args.out) as stream,
            _progress(inputs) as advance,
        ):
            settings = _settings(args, policy, classifier)
            report: Report | Steps
            if args.pipeline:
                report = _write_steps(args, _steps(inputs, settings, advance, forced), stream)
            else:
                report = _write(args, _replay(args, inputs, policy, settings, advance, forced), stream)
    except ClassifierError as error:
        return complain(error)
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        why = error.strerror or str(error)
        print(f"toolaudit replay: {error.filename or args.out}: {why[:1].lower()}{why[1:]}", file=sys.stderr)
        return 2
    if report.input_failed:
        print("some of the input could not be read; the report names it", file=sys.stderr)
    return 1 if report.input_failed else 0


def _replay(
    args: argparse.Namespace,
    inputs: list[AnyInput | Problem],
    policy: Policy,
    settings: Settings,
    advance: Callable[[int], None] | None,
    forced: Format | None,
) -> Replay:
    from toolaudit.replay import Replay
    from toolaudit.transcripts.reading import read_inputs

    executor = _executor(args, inputs)
    if executor is None:
        return Replay(read_inputs(inputs, advance, forced), settings, policy)
    return Replay(_in_shards(args, inputs, settings, policy, executor, advance), settings, policy)


def _executor(args: argparse.Namespace, inputs: list[AnyInput | Problem]) -> Executor | None:
    """Who decides; None: this process, as it reads."""
    if asks_alone(args):
        if args.cluster is not None or (args.jobs or 1) > 1:
            raise ClassifierError("a model, or a recording that is made, is asked by one process: leave --jobs out")
        return _serial() if args.resume is not None else None
    if args.cluster is not None:
        from toolaudit.replay.executors.cluster import Cluster

        return Cluster(args.cluster or None, args.jobs)
    from toolaudit.transcripts import Problem

    sizes = [item.size for item in inputs if not isinstance(item, Problem)]
    much = len(sizes) > 1 and sum(sizes) >= _MUCH
    jobs = args.jobs or (os.cpu_count() or 1 if much else 1)
    if jobs > 1 and "-" not in args.paths:
        from toolaudit.replay.executors.processes import Processes

        return Processes(jobs)
    return _serial() if args.resume is not None else None


def _serial() -> Executor:
    from toolaudit.replay.executors.serial import Serial

    return Serial()


def _in_shards(
    args: argparse.Namespace,
    inputs: list[AnyInput | Problem],
    settings: Settings,
    policy: Policy,
    executor: Executor,
    advance: Callable[[int], None] | None,
) -> Iterator[Event]:
    from toolaudit.replay.parallel import events
    from toolaudit.replay.shards import Work

    asked = {name: str(value) for name, value in sorted(vars(args).items()) if name not in _NO_QUESTION}
    with contextlib.ExitStack() as stack:
        directory = args.resume or stack.enter_context(tempfile.TemporaryDirectory(prefix="toolaudit-"))
        Path(directory).mkdir(parents=True, exist_ok=True)
        work = Work(settings, args.source, directory, json.dumps([__version__, asked, repr(policy)]))
        yield from events(inputs, work, executor, advance, keep=args.resume is not None)


def _settings(args: argparse.Namespace, policy: Policy, classifier: Classifier | None) -> Settings:
    from toolaudit.model import Mode
    from toolaudit.replay import Settings

    return Settings(
        ProjectPolicies(args, policy),
        mode=Mode.parse(args.mode) if args.mode not in (None, "recorded") else None,
        recorded_modes=args.mode == "recorded",
        home=args.home,
        trusted=not args.untrusted,
        classifier=classifier or args.classifier,
        version=args.client_version,
        interactive=args.interactive,
        flips=args.flips,
    )


def _steps(
    inputs: list[AnyInput | Problem],
    settings: Settings,
    advance: Callable[[int], None] | None,
    forced: Format | None,
) -> Steps:
    from toolaudit.replay.steps import Steps
    from toolaudit.transcripts.reading import read_inputs

    return Steps(read_inputs(inputs, advance, forced), settings)


def _cleaner(args: argparse.Namespace) -> Callable[[str], str]:
    if not args.redact:
        return str
    from toolaudit.transcripts.redaction import redact

    return redact


def _title(args: argparse.Namespace) -> str:
    mode = f"mode {args.mode}" if args.mode else "the policy's own mode"
    return f"{args.policy or 'the given settings'}, {mode}"


def _write_steps(args: argparse.Namespace, steps: Steps, stream: TextIO) -> Steps:
    from toolaudit.reporting.replay import steps as writer

    clean = _cleaner(args)
    if args.format == "json":
        writer.write_json(steps, stream)
    elif args.format == "ndjson":
        writer.write_ndjson(steps, stream, clean)
    else:
        writer.write_table(steps, stream, clean, title=_title(args))
    return steps


def _write(args: argparse.Namespace, replay: Replay, stream: TextIO) -> Report:
    clean = _cleaner(args)
    if args.format == "json":
        from toolaudit.reporting.replay import json

        return json.write(replay, stream, clean)
    if args.format == "parquet":
        with extra("parquet"):
            from toolaudit.reporting.replay import parquet

        return parquet.write(replay, Path(args.out), clean)
    if args.format == "ndjson":
        from toolaudit.reporting.replay import ndjson

        return ndjson.write(replay, stream, clean)
    if args.format in RESULT_FORMATS:
        from toolaudit.reporting.replay import results

        return results.write(replay, stream, clean, args.format)
    from toolaudit.reporting.replay import table

    return table.write(replay, stream, clean, title=_title(args), show=args.show)


@contextlib.contextmanager
def _output(path: str | None) -> Iterator[TextIO]:
    if path is None:
        if hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(errors="backslashreplace")
        yield sys.stdout
        sys.stdout.flush()
    else:
        with Path(path).open("w", encoding="utf-8") as stream:
            yield stream


@contextlib.contextmanager
def _progress(inputs: list[AnyInput | Problem]) -> Iterator[Callable[[int], None] | None]:
    """What hears of bytes read and draws a bar on stderr, or None where no one would see it or the work is short."""
    total = 0
    if sys.stderr.isatty():
        from toolaudit.transcripts import Problem

        total = sum(item.size for item in inputs if not isinstance(item, Problem))
    if total < _LONG:
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn

    columns = (BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=total)
        yield lambda size: progress.advance(task, size)
