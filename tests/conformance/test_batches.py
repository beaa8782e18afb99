"""Which cases share a client process."""

from __future__ import annotations

import json

import pytest
from making import case

from toolaudit.conformance import processes
from toolaudit.conformance.decide import Decider
from toolaudit.conformance.live import ClientUnavailable, isolation, run
from toolaudit.conformance.live.run import Client, batches, missing_programs
from toolaudit.conformance.live.world import World

DENY = {"user": {"permissions": {"deny": ["Bash(rm *)"]}}}


def ids(cases: list[object], **options: int) -> list[list[str]]:
    return [[one.id for one in batch.cases] for batch in batches(cases, **options)]


def test_cases_that_differ_in_the_call_only_go_together() -> None:
    cases = [
        case("a", given={"command": "ls"}, mode="default"),
        case("b", mode="default", settings=DENY),
        case("c", "Read", mode="default", note="a remark"),
        case("d", mode="default", settings=DENY, base=None),
    ]
    assert ids(cases) == [["a", "c"], ["b", "d"]]


@pytest.mark.parametrize(
    "fields",
    [
        {"mode": "plan"},
        {"trusted": False},
        {"files": {"a": "x"}},
        {"links": {"a": "b"}},
        {"git": False},
        {"start": "{cwd}/a"},
        {"mcp": {"s": ["t"]}},
        {"hooks": [{"event": "PreToolUse", "decision": "deny"}]},
        {"env": {"A": "b"}},
        {"args": ["--add-dir", "/x"]},
        {"settings": DENY},
    ],
    ids=lambda fields: next(iter(fields)),
)
def test_any_other_field_parts_them(fields: dict[str, object]) -> None:
    assert ids([case("a"), case("b", **fields), case("c")]) == [["a", "c"], ["b"]]


@pytest.mark.parametrize("mode", ["default", "auto", None])
def test_a_batch_has_its_limit(mode: str | None) -> None:
    cases = [case(str(number), mode=mode) for number in range(10)]
    assert [len(batch.cases) for batch in batches(cases, calls=4)] == [4, 4, 2]


@pytest.mark.parametrize("mode", ["auto", "plan"])
def test_where_there_is_a_classifier_the_turn_must_not_end(mode: str) -> None:
    assert [len(batch.cases) for batch in batches([case(str(n), mode=mode) for n in range(20)])] == [9, 9, 2]


def test_a_world_survives_its_key() -> None:
    made = World.of(case("a", mcp={"s": ["t"]}, hooks=[{"decision": "ask"}], links={"a": "{home}/b"}, args=["-x"]))
    assert World.from_key(made.key).key == made.key


def test_a_sandbox_needs_its_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run.shutil, "which", lambda name, path: None if name == "socat" else f"/bin/{name}")
    boxed = case("a", settings={"user": {"sandbox": {"enabled": True}}})
    assert missing_programs([case("b")]) == ()
    assert missing_programs([case("b"), boxed]) == ("socat",)
    with pytest.raises(ClientUnavailable, match=r"no socat .*install socat"):
        next(run.measure(Client(isolation.MANAGED, "1"), [boxed], complain=print))


@pytest.mark.parametrize("mode", ["auto", "default"])
def test_the_resolver_ends_a_session_where_a_process_ends(mode: str) -> None:
    """What a session has read is forgotten with the process that read it."""
    size = processes.shared(mode)
    cell = {"cell_type": "code", "id": "c1", "source": "x", "metadata": {}, "outputs": [], "execution_count": None}
    files = {"n.ipynb": json.dumps({"cells": [cell]})}
    read = case("r", tool="Read", input={"file_path": "{cwd}/n.ipynb"}, mode=mode, files=files)
    fill = [case(f"f{number}", tool="Bash", input={"command": "ls"}, mode=mode, files=files) for number in range(size)]
    change = {"notebook_path": "{cwd}/n.ipynb", "cell_id": "c1", "new_source": "z"}
    write = case("w", tool="NotebookEdit", input=change, mode=mode, files=files)
    for between, expected in ((size - 2, False), (size - 1, True)):
        asked = [read, *fill[:between], write]
        decider = Decider()
        behaviors = [decider.decide(one)[0].behavior for one in asked]
        assert (behaviors[-1] == "invalid") is expected
        assert (len(run.batches(asked)) == 2) is expected
