"""Verdicts kept in a file, and given again without asking anybody.

A line is one JSON object: `key`, the hash of a question's content, and all that the verdict says. The key does not
depend on the words of a prompt, so that a recording outlives them; what the classifier saw word for word stands in
`input`.
A question without a line is `unavailable`: a recording never guesses.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from toolaudit.classifier.question import Question
from toolaudit.classifier.stages import Classifier
from toolaudit.model.verdict import Answer, Stage, Usage, Verdict

SCHEMA: Final = 1


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One kept verdict."""

    schema: int
    key: str
    verdict: Answer
    stage: Stage
    category: str
    reason: str
    backend: str
    seconds: float
    input_tokens: int
    output_tokens: int
    dollars: float
    input: str

    @classmethod
    def of(cls, key: str, verdict: Verdict) -> Line:
        """The line that keeps `verdict`."""
        return cls(
            SCHEMA,
            key,
            verdict.behavior,
            verdict.stage,
            verdict.category,
            verdict.reason,
            verdict.backend,
            verdict.latency,
            verdict.usage.input_tokens,
            verdict.usage.output_tokens,
            verdict.usage.dollars,
            verdict.input,
        )

    @property
    def told(self) -> Verdict:
        """The verdict that was kept."""
        usage = Usage(self.input_tokens, self.output_tokens, self.dollars)
        return Verdict(
            self.verdict, self.stage, self.category, self.reason, self.backend, self.seconds, usage, self.input
        )


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Line).decode


class Recorded:
    """Answers out of a recording."""

    def __init__(self, verdicts: Mapping[str, Verdict], name: str) -> None:
        self._verdicts = verdicts
        self.name = name

    @classmethod
    def read(cls, path: Path) -> Recorded:
        """The recording at `path`. Raises ValueError for a line that is no verdict, OSError as reading does.

        Of two verdicts on the same question the later one counts.
        """
        verdicts = {}
        with path.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if line.isspace():
                    continue
                try:
                    kept = _decode(line)
                except (msgspec.DecodeError, RecursionError) as error:
                    raise ValueError(f"{path}:{number}: expected a recorded verdict: {error}") from None
                if kept.schema != SCHEMA:
                    raise ValueError(f"{path}:{number}: expected schema {SCHEMA}, got {kept.schema}")
                verdicts[kept.key] = kept.told
        return cls(verdicts, f"recorded:{path}")

    def classify(self, question: Question) -> Verdict:
        kept = self._verdicts.get(question.key)
        if kept is not None:
            return kept
        return Verdict(Answer.UNAVAILABLE, Stage.FIXED, "", "the recording has no verdict on this call", self.name)


class Recording:
    """Asks another classifier, and keeps each verdict in a file as soon as it is there.

    The same question is asked once; a call for which there was no verdict is kept as that. Leaving the context
    closes the file.
    """

    def __init__(self, classifier: Classifier, path: Path) -> None:
        """Raises OSError where the file can't be made; one that is there is written over."""
        self._classifier = classifier
        self._stream = path.open("wb", buffering=0)
        self._known: dict[str, Verdict] = {}
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        return self._classifier.name

    def classify(self, question: Question) -> Verdict:
        key = question.key
        known = self._known.get(key)
        if known is not None:
            return known
        verdict = self._classifier.classify(question)
        with self._lock:
            if key not in self._known:
                self._known[key] = verdict
                self._stream.write(_encode(Line.of(key, verdict)) + b"\n")
        return verdict

    def __enter__(self) -> Recording:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()
