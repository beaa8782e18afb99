"""All results as one JSON object. Text is escaped to ASCII, so that nothing in it can act on a terminal."""

from __future__ import annotations

import json
from typing import TextIO

from toolaudit.reporting.results.model import Results
from toolaudit.reporting.results.objects import header, result_object, summary_object


def write(results: Results, stream: TextIO) -> None:
    whole = {**header(results), **summary_object(results), "results": [result_object(one) for one in results.results]}
    json.dump(whole, stream, indent=2)
    stream.write("\n")
