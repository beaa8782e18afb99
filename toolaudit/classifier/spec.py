"""What `--classifier` may say, and the classifier it means.

unavailable, allow, block    one answer for every call
local                        the embedded rules: no network, no key
recorded:FILE                verdicts kept by --record-classifier
anthropic[:MODEL]            a model of Anthropic's (extra `anthropic`)
openai:MODEL                 a model behind any OpenAI-compatible endpoint (extra `openai`)
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from toolaudit.model.verdict import Answer

if TYPE_CHECKING:
    from toolaudit.classifier.remote.limits import Limits
    from toolaudit.classifier.stages import Classifier

FORMS: Final = "unavailable, allow, block, local, recorded:FILE, anthropic[:MODEL] or openai:MODEL"


def check(spec: str) -> str:
    """`spec` itself. Raises ValueError for anything that is no form of it; nothing is loaded or read."""
    kind, colon, rest = spec.partition(":")
    plain = spec in tuple(Answer) or spec in ("local", "anthropic")
    if plain or (colon and rest and kind in ("recorded", "anthropic", "openai")):
        return spec
    raise ValueError(f"expected {FORMS}, got {spec!r}")


def is_stated(spec: str) -> bool:
    """Whether `spec` is an answer rather than something to ask."""
    return spec in tuple(Answer)


def is_local(spec: str) -> bool:
    """Whether the classifier of `spec` asks nobody outside this machine, and costs nothing."""
    return spec.partition(":")[0] not in ("anthropic", "openai")


def build(spec: str, limits: Limits | None = None) -> Classifier:
    """The classifier that `spec` means.

    Raises ValueError for a spec that is none or a recording that can't be read, OSError for one that is not there, and
    ImportError where an extra is missing.
    """
    kind, _, rest = check(spec).partition(":")
    match kind:
        case "local":
            from toolaudit.classifier.local import Local
            from toolaudit.classifier.stages import TwoStages

            return TwoStages(Local())
        case "recorded":
            from toolaudit.classifier.recorded import Recorded

            return Recorded.read(Path(rest))
        case "anthropic" | "openai":
            from toolaudit.classifier.remote import build as build_remote

            return build_remote(kind, rest, limits)
        case _:
            from toolaudit.classifier.fixed import Fixed

            return Fixed(Answer(kind))
