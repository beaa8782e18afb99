"""What is said against a shell text, by all who look at shell texts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from toolaudit.classifier.local import amounts, commands, contents, flow, network, origins, paths, removals, unknown
from toolaudit.classifier.local.concern import Concern
from toolaudit.classifier.local.context import Context
from toolaudit.classifier.local.starts import Text


def find(text: Text, context: Context) -> Iterator[Concern]:
    """The facts that speak against the text, then what of it is not known to be harmless."""
    return chain(
        flow.find(text, context),
        origins.find(text.starts, context),
        network.find(text.starts, context),
        paths.find(text, context),
        contents.find(text, context),
        removals.find(text, context),
        commands.find(text, context),
        amounts.find(text, context),
        unknown.find(text, context),
    )
