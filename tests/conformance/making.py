from __future__ import annotations

import json
from typing import Any

from toolaudit.conformance import Case, read_cases


def case(name: str, tool: str = "Bash", given: dict[str, Any] | None = None, **fields: Any) -> Case:
    """A case as a case file has it."""
    line = json.dumps({"id": name, "tool": tool, "input": given or {}, **fields})
    [made] = read_cases([line])
    assert isinstance(made, Case), made
    return made
