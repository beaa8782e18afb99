"""Which cases share a client process."""

from __future__ import annotations

import pytest
from making import case

from toolaudit.conformance import decide
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


def test_the_resolver_ends_a_session_where_a_process_ends() -> None:
    assert (run.CALLS_MAX, run.CLASSIFIER_CALLS_MAX) == (decide.CALLS, decide.CLASSIFIED_CALLS)
