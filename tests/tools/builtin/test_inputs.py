"""The classes of inputs say what the measured rows say, and the tools say what the pool says of them."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from toolaudit.tools import builtin
from toolaudit.tools.interface import Tool
from toolaudit.tools.pool import ALIASES, BUILT_IN
from toolaudit.tools.schema import SCHEMAS, fault
from toolaudit.tools.shown import FIELDS


def load() -> dict[str, Tool[Any, Any, Any]]:
    modules = [import_module(f"{builtin.__name__}.{found.name}") for found in iter_modules(builtin.__path__)]
    tools = [tool for module in modules for tool in getattr(module, "TOOLS", ()) or (module.TOOL,)]
    return {tool.name: tool for tool in tools}


TOOLS = load()
MEASURED = sorted(TOOLS.keys() & SCHEMAS.keys())

ELSEWHERE = {"Agent", "ListMcpResourcesTool", "ReadMcpResourceTool", "WaitForMcpServers"}
"""Tools that work with other agents and MCP servers."""

OLD = {"MultiEdit"}
"""Tools of older clients."""

JSON_TYPES = {
    "string": {"string"},
    "number": {"number"},
    "integer": {"integer"},
    "boolean": {"boolean"},
    "array": {"array"},
    "object": {"object"},
    "any": {None},
}

VALUES: Mapping[str, st.SearchStrategy[Any]] = {
    "string": st.sampled_from(["", "x", "a b", "5", "true", "https://a.example/x", "code", "keep", "1 2 3 4 5"]),
    "number": st.one_of(st.integers(-9, 9000), st.floats(-9, 9000), st.sampled_from(["5", "-3", "2.5", "x", "", " 5"])),
    "integer": st.one_of(st.integers(-9, 9000), st.sampled_from([2.0, 2.5, "5", "2.5", "x"])),
    "boolean": st.sampled_from([True, False, "true", "false", "True", "yes", 1, 0]),
    "array": st.lists(st.sampled_from(["x", 1, {}, {"question": "q", "header": "h", "options": []}]), max_size=2),
    "object": st.dictionaries(st.sampled_from("ab"), st.integers(), max_size=2),
    "any": st.sampled_from([None, 1, "x", [], {}]),
}

ANYTHING = st.one_of(*VALUES.values(), st.none())


def accepts(tool: Tool[Any, Any, Any], raw: Mapping[str, Any]) -> bool:
    try:
        tool.input_schema.model_validate(raw)
    except ValidationError:
        return False
    return True


def test_every_tool_of_the_pool_is_here() -> None:
    assert TOOLS.keys() | ELSEWHERE == BUILT_IN.keys() | OLD | (ELSEWHERE & TOOLS.keys())


@pytest.mark.parametrize("name", MEASURED)
def test_the_schema_that_is_sent_says_what_was_measured(name: str) -> None:
    row, sent = SCHEMAS[name], TOOLS[name].schema()
    fields = sent.get("properties", {})
    assert set(sent.get("required", ())) == set(row.required)
    assert (sent["additionalProperties"] is False) == row.closed
    kinds = {**row.required, **row.optional}
    assert fields.keys() - kinds.keys() <= ({"persistent"} if name == "Monitor" else set())
    for parameter, kind in kinds.items():
        assert fields[parameter].get("type") in JSON_TYPES[kind], parameter
        if parameter in row.choices:
            assert set(fields[parameter]["enum"]) == row.choices[parameter]


@pytest.mark.parametrize("name", MEASURED)
def test_the_class_accepts_what_was_measured(name: str) -> None:
    row = SCHEMAS[name]
    kinds = {**row.required, **row.optional}
    choices = {parameter: st.sampled_from(sorted(values)) for parameter, values in row.choices.items()}
    fitting = {parameter: choices.get(parameter, VALUES[kind]) for parameter, kind in kinds.items()}
    loose = {parameter: st.one_of(strategy, ANYTHING) for parameter, strategy in fitting.items()}
    inputs = st.one_of(
        st.fixed_dictionaries(
            {parameter: fitting[parameter] for parameter in row.required},
            optional={parameter: fitting[parameter] for parameter in row.optional},
        ),
        st.fixed_dictionaries({}, optional={**loose, "unknown": ANYTHING}),
    )

    @given(inputs)
    def agrees(raw: dict[str, Any]) -> None:
        assert accepts(TOOLS[name], raw) == (fault(name, raw) is None)

    agrees()


@pytest.mark.parametrize("name", sorted(TOOLS))
def test_every_parameter_is_described(name: str) -> None:
    tool = TOOLS[name]
    assert tool.description
    assert name in {row.name for row in BUILT_IN.values()} or name in OLD
    if "Not available" not in tool.description:
        undescribed = [one for one, field in tool.schema().get("properties", {}).items() if "description" not in field]
        assert not undescribed


@pytest.mark.parametrize("name", sorted(TOOLS.keys() & BUILT_IN.keys()))
def test_a_tool_says_of_itself_what_the_pool_says(name: str) -> None:
    tool, row = TOOLS[name], BUILT_IN[name]
    assert set(row.aliases) <= set(tool.aliases)
    assert not {alias for alias in tool.aliases if ALIASES.get(alias, name) != name}
    if name not in ("Bash", "PowerShell"):
        assert tool.is_read_only(None) == row.read_only
        assert row.read_only or not tool.is_concurrency_safe(None)


@pytest.mark.parametrize("name", sorted(FIELDS.keys() & TOOLS.keys()))
def test_the_classifier_is_shown_what_tells(name: str) -> None:
    samples: dict[str, dict[str, Any]] = {
        "Bash": {"command": "ls"},
        "Edit": {"file_path": "a", "old_string": "b", "new_string": "c"},
        "TaskStop": {"task_id": "b1"},
        "Write": {"file_path": "a", "content": "b"},
    }
    if name in samples:
        given_input = TOOLS[name].input_schema.model_validate(samples[name])
        shown = TOOLS[name].to_auto_classifier_input(given_input)
        assert all(str(samples[name][field]) in shown for field in FIELDS[name] if field in samples[name])


def test_looking_shows_the_classifier_nothing() -> None:
    for name in ("Read", "Grep", "Glob"):
        raw = {"file_path": "a"} if name == "Read" else {"pattern": "a"}
        assert TOOLS[name].to_auto_classifier_input(TOOLS[name].input_schema.model_validate(raw)) == ""


def test_numbers_and_booleans_as_text_come_out_as_what_they_are() -> None:
    parsed = TOOLS["Bash"].input_schema.model_validate({"command": "ls", "timeout": "50", "run_in_background": "true"})
    assert (parsed.timeout, parsed.run_in_background) == (50, True)  # type: ignore[attr-defined]
