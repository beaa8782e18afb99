import json
from typing import Any

import pytest

from toolaudit.conformance import BadLine, read_cases

GOOD: dict[str, Any] = {"id": "a", "tool": "Bash", "input": {"command": "ls"}}

BAD_FIELDS = [
    ({"mode": "x"}, "`mode` to be one of default"),
    ({"mode": []}, "`mode` to be a string, got list"),
    ({"settings": {"nobody": {}}}, "`settings` to name scopes: managed, cli"),
    ({"files": []}, "`files` to be an object, got list"),
    ({"files": {"a": 5}}, "`files` to hold a string"),
    ({"links": {"a": ["b"]}}, "`links` to hold a path"),
    ({"mcp": {"a": "b"}}, "`mcp` to hold a list"),
    ({"mcp": {"a": [5]}}, "`mcp` to hold a list"),
    ({"hooks": ["x"]}, "`hooks` to be a list of objects"),
    ({"base": "unknown"}, "`base` to name defaults of an earlier line"),
    ({"input": "ls"}, "`input` to be an object, got str"),
]


@pytest.mark.parametrize(("fields", "expected"), BAD_FIELDS, ids=[expected for _, expected in BAD_FIELDS])
def test_a_bad_line_says_what_was_expected_and_the_rest_goes_on(fields: dict[str, Any], expected: str) -> None:
    lines = [json.dumps({**GOOD, **fields}), json.dumps({**GOOD, "mode": "manual"})]
    bad, good = read_cases(lines)
    assert isinstance(bad, BadLine)
    assert (bad.line, bad.id) == (1, "a")
    assert expected in bad.message
    assert not isinstance(good, BadLine)
    assert good.line == 2
