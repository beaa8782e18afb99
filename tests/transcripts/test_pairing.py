from __future__ import annotations

from pathlib import Path

import pytest
from recording import call_id, prompt, read_all, result, use, write

from toolaudit.model import Mode, ToolCall
from toolaudit.transcripts import Evidence, Grounds, RecordedCall, RecordedOutcome, Trouble

EXECUTED, NO_RESULT = RecordedOutcome.EXECUTED, RecordedOutcome.NO_RESULT


def test_a_call_carries_all_that_its_line_says(tmp_path: Path) -> None:
    file = write(tmp_path / "s.jsonl", prompt(permissionMode="acceptEdits"), use(), result())
    calls, problems = read_all(file)
    assert problems == []
    assert calls == [
        RecordedCall(
            ToolCall("Bash", {"command": "git status"}, call_id(1)),
            session="5e55104e-0000-4000-8000-000000000001",
            cwd="/srv/app",
            root="/srv/app",
            version="2.1.205",
            mode=Mode.ACCEPT_EDITS,
            timestamp="2026-01-02T03:04:05.000Z",
            sidechain=False,
            file=str(file),
            line=2,
            outcome=EXECUTED,
            evidence=Evidence(Grounds.FIELD, "result without an error"),
            prompted=None,
            said=("go on",),
        )
    ]


def test_what_the_user_wrote_comes_with_the_next_call_and_the_clients_own_lines_do_not(tmp_path: Path) -> None:
    file = write(
        tmp_path / "s.jsonl",
        prompt(),
        {**prompt(), "isMeta": True},
        {**prompt(), "isSidechain": True},
        {**prompt(), "message": {"content": [{"type": "text", "text": "now push"}, {"type": "text", "text": 5}]}},
        use(1),
        result(1),
        use(2),
        result(2),
    )
    calls, _ = read_all(file)
    assert [call.said for call in calls] == [("go on", "now push"), ()]


def test_results_pair_by_id_in_any_order_and_what_has_none_comes_last(tmp_path: Path) -> None:
    file = write(tmp_path / "s.jsonl", use(1), use(2), result(2), use(3), result(3, error=True, text="Exit code 1"))
    calls, _ = read_all(file)
    assert [(call.call.id, call.outcome) for call in calls] == [
        (call_id(2), EXECUTED),
        (call_id(3), RecordedOutcome.EXECUTED_ERROR),
        (call_id(1), NO_RESULT),
    ]


def test_the_root_is_the_first_directory_and_cwd_follows_the_shell(tmp_path: Path) -> None:
    file = write(tmp_path / "s.jsonl", use(1), result(1), use(2, cwd="/srv/app/web"), result(2))
    calls, _ = read_all(file)
    assert [(call.root, call.cwd) for call in calls] == [("/srv/app", "/srv/app"), ("/srv/app", "/srv/app/web")]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param("a", "a", id="each line twice in one file"),
        pytest.param("a", "b", id="a fork: the same lines under another session id"),
    ],
)
def test_copies_count_once(tmp_path: Path, first: str, second: str) -> None:
    write(tmp_path / f"{first}.jsonl", *([use(), result()] * (2 if first == second else 1)))
    if first != second:
        write(tmp_path / f"{second}.jsonl", use(sessionId="other"), result(sessionId="other"), use(2), result(2))
    calls, problems = read_all(tmp_path)
    assert sorted(str(call.call.id) for call in calls) == [call_id(n) for n in ((1, 2) if first != second else (1,))]
    assert problems == []


@pytest.mark.parametrize("cut", ["a", "b"])
def test_the_copy_with_a_result_wins_wherever_it_stands(tmp_path: Path, cut: str) -> None:
    for name in "ab":
        write(tmp_path / f"{name}.jsonl", use(), *([] if name == cut else [result()]))
    calls, _ = read_all(tmp_path)
    assert [(call.outcome, Path(call.file).stem) for call in calls] == [(EXECUTED, "b" if cut == "a" else "a")]


def test_short_ids_of_gateways_are_no_identity(tmp_path: Path) -> None:
    one = [use(id="call_1", command="ls"), result(id="call_1")]
    two = [use(id="call_1", command="pwd"), result(id="call_1")]
    later = [use(id="call_1", command="ls", timestamp="2026-01-03T00:00:00.000Z"), result(id="call_1")]
    for name, lines in {"a": one, "b": two, "c": later, "copy": one}.items():
        write(tmp_path / f"{name}.jsonl", *lines)
    calls, _ = read_all(tmp_path)
    assert [call.call.input["command"] for call in calls] == ["ls", "pwd", "ls"]


def _agent_progress(record: dict) -> dict:
    data = {
        "type": "agent_progress",
        "agentId": "a1",
        "message": {"type": record["type"], "message": record["message"]},
    }
    return {**{k: record[k] for k in ("cwd", "sessionId", "uuid")}, "type": "progress", "data": data}


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param([use(isSidechain=True), result(isSidechain=True)], id="old: between the parent's lines"),
        pytest.param([_agent_progress(use()), _agent_progress(result())], id="progress lines of the parent"),
        pytest.param([use(parent_tool_use_id="toolu_x"), result(parent_tool_use_id="toolu_x")], id="stream-json"),
    ],
)
def test_calls_of_sub_agents_are_found_and_marked(tmp_path: Path, lines: list[dict]) -> None:
    calls, problems = read_all(write(tmp_path / "s.jsonl", prompt(), *lines))
    assert [(call.sidechain, call.outcome) for call in calls] == [(True, EXECUTED)]
    assert problems == []


def test_a_sub_agents_own_file_repeats_nothing(tmp_path: Path) -> None:
    write(tmp_path / "s.jsonl", _agent_progress(use()), _agent_progress(result()))
    (tmp_path / "s" / "subagents").mkdir(parents=True)
    write(tmp_path / "s" / "subagents" / "agent-a1.jsonl", use(isSidechain=True), result(), use(2), result(2))
    calls, _ = read_all(tmp_path)
    assert sorted(str(call.call.id) for call in calls) == [call_id(1), call_id(2)]


def _mode_line(mode: str) -> dict:
    return {"type": "permission-mode", "permissionMode": mode, "sessionId": use()["sessionId"]}


def _plan(tool: str, ok: bool = True) -> list[dict]:
    refusal = "The user doesn't want to proceed with this tool use. The tool use was rejected"
    return [use(8, tool=tool, input={}), result(8, "ok" if ok else refusal, error=None if ok else True)]


@pytest.mark.parametrize(
    ("lines", "mode"),
    [
        pytest.param([], None, id="never said"),
        pytest.param([prompt(permissionMode="auto"), prompt()], Mode.AUTO, id="carried forward"),
        pytest.param([prompt(permissionMode="auto"), prompt(permissionMode="plan")], Mode.PLAN, id="the last one"),
        pytest.param([prompt(permissionMode="manual")], Mode.DEFAULT, id="manual is the new word for default"),
        pytest.param([_mode_line("dontAsk")], Mode.DONT_ASK, id="a line of its own"),
        pytest.param([prompt(permissionMode="auto"), *_plan("EnterPlanMode")], Mode.PLAN, id="plan entered"),
        pytest.param([prompt(permissionMode="plan"), *_plan("ExitPlanMode")], None, id="plan left: choice unknown"),
        pytest.param([prompt(permissionMode="plan"), *_plan("ExitPlanMode", ok=False)], Mode.PLAN, id="plan kept"),
        pytest.param([prompt(permissionMode="auto", sessionId="x")], None, id="another session's"),
        pytest.param([prompt(permissionMode="yolo")], None, id="a word nobody knows"),
    ],
)
def test_the_mode_is_carried_forward(tmp_path: Path, lines: list[dict], mode: Mode | None) -> None:
    calls, problems = read_all(write(tmp_path / "s.jsonl", *lines, use(9), result(9)))
    assert calls[-1].mode is mode
    assert [p.trouble for p in problems] == ([Trouble.UNKNOWN_MODE] if "yolo" in str(lines) else [])


def test_the_twin_names_directory_version_and_mode_once(tmp_path: Path) -> None:
    init = {
        "type": "system",
        "subtype": "init",
        "cwd": "/srv/app",
        "session_id": "s",
        "permissionMode": "dontAsk",
        "claude_code_version": "2.1.332",
    }
    call = {"type": "assistant", "message": use()["message"], "session_id": "s", "parent_tool_use_id": None}
    calls, problems = read_all(write(tmp_path / "s.jsonl", init, call, {**result(), "sessionId": None}))
    assert problems == []
    assert [(c.cwd, c.root, c.version, c.mode, c.session, c.sidechain) for c in calls] == [
        ("/srv/app", "/srv/app", "2.1.332", Mode.DONT_ASK, "s", False)
    ]


def test_a_document_of_records_is_read_like_lines(tmp_path: Path) -> None:
    import json

    (tmp_path / "web.json").write_text(json.dumps({"loglines": [use(1), result(1)]}, indent=2))
    (tmp_path / "list.json").write_text(json.dumps([use(2), result(2)]))
    (tmp_path / "one.json").write_text(json.dumps(use(3), indent=2))
    (tmp_path / "agent-x.meta.json").write_text(json.dumps({"agentType": "Explore", "toolUseId": "toolu_1"}))
    calls, problems = read_all(tmp_path)
    assert sorted((Path(call.file).name, call.line, call.outcome) for call in calls) == [
        ("list.json", 1, EXECUTED),
        ("one.json", 1, NO_RESULT),
        ("web.json", 1, EXECUTED),
    ]
    assert [(p.trouble, Path(p.file).name) for p in problems] == [(Trouble.UNRECOGNISED, "agent-x.meta.json")]


def test_open_calls_are_bounded_by_number_and_by_size(tmp_path: Path) -> None:
    many = write(tmp_path / "many.jsonl", *(use(n) for n in range(600)))
    calls, problems = read_all(many)
    assert len(calls) == 600
    assert len(problems) == 600 - 512
    assert {p.trouble for p in problems} == {Trouble.TOO_MANY_OPEN}
    large = write(tmp_path / "large.jsonl", *(use(n, "x" * (9 << 20)) for n in range(700, 708)))
    calls, problems = read_all(large)
    assert len(calls) == 8
    assert [p.trouble for p in problems] == [Trouble.TOO_MANY_OPEN]


@pytest.mark.parametrize(
    ("line", "trouble"),
    [
        pytest.param(result(7), Trouble.ORPHAN_RESULT, id="a result of no call"),
        pytest.param({"type": "telepathy", "sessionId": "s"}, Trouble.UNKNOWN_TYPE, id="a type of a newer client"),
        pytest.param({"sessionId": "s"}, Trouble.UNKNOWN_TYPE, id="no type"),
        pytest.param({"type": ["user"], "sessionId": "s"}, Trouble.UNKNOWN_TYPE, id="a type that is no word"),
        pytest.param(use(7, input="ls"), Trouble.BAD_INPUT, id="input that is no object"),
        pytest.param({**use(7), "message": {"0": "h", "1": "i"}}, Trouble.BAD_SHAPE, id="a map of characters"),
    ],
)
def test_what_is_whole_but_not_understood_is_named(tmp_path: Path, line: dict, trouble: Trouble) -> None:
    file = write(tmp_path / "s.jsonl", use(1), line, result(1))
    calls, problems = read_all(file)
    assert calls[0].outcome is EXECUTED
    assert [(p.trouble, p.file, p.line) for p in problems] == [(trouble, str(file), 2)]


@pytest.mark.parametrize(("depth", "kept"), [(90, True), (500, False)])
def test_deep_input_is_named_and_dropped(tmp_path: Path, depth: int, kept: bool) -> None:
    nested: object = "x"
    for number in range(depth):
        nested = [nested] if number % 2 else {"a": nested}
    calls, problems = read_all(write(tmp_path / "s.jsonl", use(1, input={"value": nested}), result(1)))
    assert bool(calls[0].call.input) is kept
    assert [p.trouble for p in problems] == ([] if kept else [Trouble.TOO_DEEP])


def test_a_call_with_an_unusable_input_is_still_a_call(tmp_path: Path) -> None:
    calls, _ = read_all(
        write(tmp_path / "s.jsonl", use(1, input="ls"), result(1, "InputValidationError: …", error=True))
    )
    assert [(call.call.input, call.outcome) for call in calls] == [({}, RecordedOutcome.VALIDATION_ERROR)]
