"""Whoever decides the parts of a replay, the whole is the same; what fails is named and costs nothing else."""

from __future__ import annotations

import argparse
import io
import json
import os
import signal
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from toolaudit.cli.policy import ProjectPolicies, add_policy_options
from toolaudit.model import Policy, Rule
from toolaudit.replay import Event, Record, Replay, Settings
from toolaudit.replay import shards as shards_module
from toolaudit.replay.executors import Executor, Finished
from toolaudit.replay.executors.cluster import _do
from toolaudit.replay.executors.processes import Processes
from toolaudit.replay.executors.serial import Serial
from toolaudit.replay.parallel import events
from toolaudit.replay.shards import Shard, Work, cut, journal
from toolaudit.reporting.replay import ndjson
from toolaudit.transcripts import Problem, RecordedCall
from toolaudit.transcripts.inputs import Input, expand
from toolaudit.transcripts.reading import read

SESSIONS = "corpora/sessions"


OPTIONS = argparse.ArgumentParser()
add_policy_options(OPTIONS)
ARGS = OPTIONS.parse_args(["--allow", "Bash(git *)", "--deny", "Bash(curl *)"])
SETTINGS = Settings(ProjectPolicies(ARGS, Policy()))


def output(told: Iterable[Event]) -> list[str]:
    """What a replay of these events writes, the order of whole lines aside."""
    out = io.StringIO()
    ndjson.write(Replay(told, SETTINGS, SETTINGS.load("/work/project", "/home/user")), out, str)
    return sorted(out.getvalue().splitlines())


def inputs() -> list[Input | Problem]:
    return list(expand([SESSIONS]))


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Work:
    monkeypatch.setattr(shards_module, "SHARD_BYTES", 1)
    return Work(SETTINGS, None, str(tmp_path), "test")


def cluster() -> Executor:
    ray = pytest.importorskip("ray", reason="the executor for clusters needs Ray: pip install toolaudit[cluster]")
    # The workers know nothing of this file.
    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])
    from toolaudit.replay.executors.cluster import Cluster

    return Cluster(jobs=2)


EXECUTORS = {"serial": Serial, "processes": lambda: Processes(2), "cluster": cluster}
CLUSTER = pytest.param("cluster", marks=pytest.mark.cluster)


@pytest.mark.parametrize("name", ["serial", "processes", CLUSTER])
def test_every_executor_gives_what_one_run_gives(name: str, work: Work) -> None:
    told = list(events(inputs(), work, EXECUTORS[name](), keep=False))
    assert output(told) == output(read([SESSIONS]))
    assert not list(Path(work.directory).iterdir())


def test_shards_follow_the_order_of_the_inputs_and_hold_small_files_together(tmp_path: Path) -> None:
    for number in range(4):
        (tmp_path / f"{number}.jsonl").write_bytes(b"x" * (shards_module.SHARD_BYTES // 2))
    found = list(cut(item for item in expand([str(tmp_path)]) if isinstance(item, Input)))
    assert [[Path(path).name for path in shard.paths] for shard in found] == [
        ["0.jsonl", "1.jsonl"],
        ["2.jsonl", "3.jsonl"],
    ]


class Interrupted(Serial):
    """Stops after some shards, as a killed run does."""

    def __init__(self, after: int) -> None:
        self._after = after
        self.seen: list[Shard] = []

    def run(self, shards: Iterable[Shard], work: Work) -> Iterator[Finished]:
        for number, finished in enumerate(super().run(shards, work)):
            if number == self._after:
                raise KeyboardInterrupt
            self.seen.append(finished.shard)
            yield finished


def test_an_interrupted_run_goes_on_where_it_stopped(work: Work) -> None:
    with pytest.raises(KeyboardInterrupt):
        list(events(inputs(), work, Interrupted(2), keep=True))
    rest = Interrupted(1_000)
    told = list(events(inputs(), work, rest, keep=True))
    assert output(told) == output(read([SESSIONS]))
    total = len(list(cut(item for item in inputs() if isinstance(item, Input))))
    assert 0 < len(rest.seen) < total


def test_a_journal_of_another_question_or_another_file_does_not_count(work: Work) -> None:
    list(events(inputs(), work, Serial(), keep=True))
    shard = next(cut(item for item in inputs() if isinstance(item, Input)))
    assert work.done(shard)
    assert not replace(work, question="another").done(shard)
    assert not work.done(replace(shard, fingerprint="another"))


def dies(root: str, home: str) -> Policy:
    """A policy that kills the worker which loads it for one project, as running out of memory would."""
    if "webshop" in root:
        os.kill(os.getpid(), signal.SIGKILL)
    return SETTINGS.load(root, home)


def test_a_shard_that_kills_its_worker_is_named_and_the_others_are_done(work: Work) -> None:
    told = list(events(inputs(), replace(work, settings=Settings(dies)), Processes(2), keep=False))
    lost = [
        event for event in told if isinstance(event, Problem) and event.detail.startswith("left out: its worker died")
    ]
    every = [event for event in read([SESSIONS]) if isinstance(event, RecordedCall)]
    assert {problem.file for problem in lost} == {call.file for call in every if "webshop" in str(call.root)}
    kept = {json.loads(line)["file"] for line in output(told) if '"type":"call"' in line}
    assert kept == {call.file for call in every} - {problem.file for problem in lost}


@dataclass(frozen=True)
class DiesOnce:
    """A policy that kills the worker which first loads it for one project, as a machine that goes away would."""

    mark: str

    def __call__(self, root: str, home: str) -> Policy:
        if "webshop" in root and not Path(self.mark).exists():
            Path(self.mark).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return SETTINGS.load(root, home)


@pytest.mark.parametrize("name", ["processes", CLUSTER])
def test_a_worker_that_is_killed_loses_nothing(name: str, work: Work, tmp_path_factory: pytest.TempPathFactory) -> None:
    mark = tmp_path_factory.mktemp("mark") / "killed"
    told = list(events(inputs(), replace(work, settings=Settings(DiesOnce(str(mark)))), EXECUTORS[name](), keep=False))
    assert mark.exists()
    assert not [event for event in told if isinstance(event, Problem) and event.detail.startswith("left out")]
    assert output(told) == output(read([SESSIONS]))


def test_a_worker_of_a_cluster_reads_relative_names_from_where_the_run_began(
    work: Work, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    shard, begun = next(cut(item for item in inputs() if isinstance(item, Input))), str(Path.cwd())
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    _do(work, shard, begun)
    assert any(isinstance(event, Record) for event in journal(work.journal(shard)))


@pytest.mark.cluster
def test_a_shard_that_kills_every_worker_of_a_cluster_is_named(work: Work) -> None:
    told = list(events(inputs(), replace(work, settings=Settings(dies)), cluster(), keep=False))
    lost = {event.file for event in told if isinstance(event, Problem) and event.detail.startswith("left out")}
    every = [event for event in read([SESSIONS]) if isinstance(event, RecordedCall)]
    assert lost == {call.file for call in every if "webshop" in str(call.root)}
    kept = {json.loads(line)["file"] for line in output(told) if '"type":"call"' in line}
    assert kept == {call.file for call in every} - lost


def test_a_file_that_is_no_journal_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.journal"
    path.write_bytes(b"something else, longer than the first line")
    with pytest.raises(ValueError, match="expected a journal of a replay"):
        list(journal(path))


def test_rules_survive_the_journal(work: Work) -> None:
    told = list(events(inputs(), work, Serial(), keep=False))
    rules = {event.decision.rule for event in told if hasattr(event, "decision") and event.decision.rule is not None}
    assert rules
    assert all(isinstance(rule, Rule) for rule in rules)
