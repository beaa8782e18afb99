"""One JSON object a line: a header, each result, a summary; `type` tells them apart."""

from __future__ import annotations

import json
from typing import TextIO

from toolaudit.reporting.results.model import Results
from toolaudit.reporting.results.objects import header, result_object, summary_object


def write(results: Results, stream: TextIO) -> None:
    _line({"type": "header", **header(results)}, stream)
    for result in results.results:
        _line({"type": "result", **result_object(result)}, stream)
    _line({"type": "summary", **summary_object(results)}, stream)


def _line(value: dict[str, object], stream: TextIO) -> None:
    stream.write(json.dumps(value, separators=(",", ":")) + "\n")
