"""What `bench` measures with and how it tells it. Nothing here is timed: the figures are the bench's own business."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from toolaudit.bench import synthetic
from toolaudit.bench.measure import Measure, in_turn, peak_memory
from toolaudit.bench.measures import MEASURES, policy, recordings
from toolaudit.cli import main
from toolaudit.model import Behavior
from toolaudit.reporting import performance
from toolaudit.shell import read as read_command
from toolaudit.transcripts import FileRead, Problem, RecordedCall
from toolaudit.transcripts.reading import read

MET = Measure("quick", 1.5, 2, "a floor", "3 us")
MISSED = Measure("slow", 0.4, 0.6, "a floor", "3 s", at_least=True)


def test_made_up_sessions_are_the_same_each_time_and_whole(tmp_path: Path) -> None:
    paths = synthetic.write(tmp_path / "a", 300_000, file_size=100_000)
    again = synthetic.write(tmp_path / "b", 300_000, file_size=100_000)
    assert [path.read_bytes() for path in paths] == [path.read_bytes() for path in again]
    assert 300_000 <= sum(path.stat().st_size for path in paths) < 320_000
    events = list(read([str(tmp_path / "a")]))
    assert not [event for event in events if isinstance(event, Problem)]
    assert {event.format for event in events if isinstance(event, FileRead)} == {"claude-code"}
    calls = [event for event in events if isinstance(event, RecordedCall)]
    assert len({call.call.id for call in calls}) == len(calls) > 100
    assert all(call.outcome.ran for call in calls)


def test_made_up_commands_differ_and_can_be_read() -> None:
    commands = synthetic.distinct_commands(500)
    assert len(set(commands)) == 500
    assert not [command for command in commands if read_command(command).complexity is not None]


@pytest.mark.parametrize("rules", [20, 200, 1000])
def test_policies_have_as_many_rules_as_they_say(rules: int) -> None:
    made = policy(rules)
    assert len(made.rules) == rules + 3
    assert len(made.rules_for(Behavior.DENY)) == rules // 10 + 1
    assert not made.ignored


def test_a_measure_knows_whether_it_is_met() -> None:
    assert MET.met
    assert not MISSED.met
    assert Measure("enough", 0.6, 0.6, "", "", at_least=True).met


def test_the_table_says_what_was_missed() -> None:
    out = io.StringIO()
    performance.write([MET, MISSED], out)
    assert out.getvalue() == (
        "quick     1.50  at most 2  met   3 us; floor: a floor\n"
        "slow      0.40  at least 0.6  MISSED  3 s; floor: a floor\n"
    )


def test_the_page_in_the_reports_has_a_line_for_each_measure() -> None:
    page = Path("reports/performance.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| ") and not line.startswith("| measure")]
    assert len(rows) >= len(MEASURES)
    assert all(row.count("|") == 7 for row in rows)
    assert "Made by `toolaudit bench" in page


def test_works_are_tried_in_turn() -> None:
    seen: list[str] = []
    in_turn([lambda: seen.append("a"), lambda: seen.append("b")], tries=2)
    assert seen == ["a", "b", "a", "b"]


def test_memory_is_that_of_the_child() -> None:
    import sys

    small = peak_memory([sys.executable, "-c", "pass"])
    assert peak_memory([sys.executable, "-c", "x = bytearray(60 << 20)"]) > small + (50 << 20)


def test_recordings_are_replayed_beside_a_bare_reading_of_their_lines(tmp_path: Path) -> None:
    synthetic.write(tmp_path, 30_000)
    (tmp_path / "damaged.jsonl").write_text('{"type": "user"\n')
    measured = recordings([str(tmp_path)])
    assert measured.at_least
    assert measured.ratio > 0


def test_sessions_can_be_written_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--write-sessions", str(tmp_path / "s"), "--size", "20KB"]) == 0
    assert "1 files with " in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["bench", "--size", "much"])


def test_a_measure_is_an_object() -> None:
    assert json.loads(json.dumps(performance.record(MISSED)))["met"] is False
