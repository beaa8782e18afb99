"""The options by which a verb is told what answers in modes with a classifier, and the classifier they make."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from toolaudit.cli.extras import extra

if TYPE_CHECKING:
    from toolaudit.classifier.stages import Classifier

STATED = ("unavailable", "allow", "block")


def add_classifier_options(parser: argparse.ArgumentParser) -> None:
    """`--classifier`, where and within what limits it may ask, and where its verdicts are kept."""
    group = parser.add_argument_group("classifier", "what answers in modes auto and plan where a person would be asked")
    group.add_argument(
        "--classifier",
        metavar="C",
        type=_spec,
        default="unavailable",
        help="unavailable, allow, block (one answer for all); local (embedded rules, no network); recorded:FILE; "
        "anthropic[:MODEL] or openai:MODEL (default: unavailable)",
    )
    group.add_argument(
        "--classifier-option",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="for a model: url, timeout (seconds), retries, jobs, and limits in requests, tokens or dollars (with "
        "price_in and price_out, for a million tokens); beyond a limit there is no verdict",
    )
    group.add_argument(
        "--record-classifier", metavar="FILE", help="keep each verdict in FILE, for --classifier recorded:FILE"
    )


def _spec(text: str) -> str:
    if text in STATED:
        return text
    from toolaudit.classifier.spec import check

    try:
        return check(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


@contextlib.contextmanager
def opened_classifier(args: argparse.Namespace) -> Iterator[Classifier | None]:
    """The classifier that the options make; None where they state an answer and keep no verdicts.

    Raises ClassifierError for what can't be used, MissingExtra where a library is missing.
    """
    if args.classifier in STATED and args.record_classifier is None:
        yield None
        return
    classifier = _made(args)
    with contextlib.ExitStack() as stack:
        if isinstance(classifier, contextlib.AbstractContextManager):
            stack.enter_context(classifier)
        yield classifier


def _made(args: argparse.Namespace) -> Classifier:
    from pathlib import Path

    from toolaudit.classifier.recorded import Recording
    from toolaudit.classifier.remote.limits import parse
    from toolaudit.classifier.spec import build

    try:
        with extra(args.classifier.partition(":")[0]):
            classifier = build(args.classifier, parse(args.classifier_option))
        return classifier if args.record_classifier is None else Recording(classifier, Path(args.record_classifier))
    except ValueError as error:
        raise ClassifierError(str(error)) from None
    except OSError as error:
        raise ClassifierError(f"{error.filename}: {(error.strerror or str(error)).lower()}") from None


def asks_alone(args: argparse.Namespace) -> bool:
    """Whether one process must do all the asking: limits count in one, and one writes a recording."""
    return args.record_classifier is not None or args.classifier.partition(":")[0] in ("anthropic", "openai")


class ClassifierError(Exception):
    """A classifier that can't be used: a recording that can't be read, a missing key, an option that is none."""


def complain(error: ClassifierError) -> int:
    """Says so on stderr, and gives the exit code."""
    print(f"--classifier: {error}", file=sys.stderr)
    return 2
