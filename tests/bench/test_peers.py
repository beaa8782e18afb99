"""Peers are run for real here, in this interpreter: packages that the tests have stand in for guards they have not."""

from __future__ import annotations

import sys
from importlib.metadata import version

import pytest

from toolaudit.bench import peers
from toolaudit.bench.peers import ADAPTERS, Peer, beside
from toolaudit.cli import main

SLOW = """
import time
def decide(command):
    begun = time.process_time()
    while time.process_time() < begun + 0.001:
        pass
"""
BROKEN = "def decide(command):\n    if 'rm' in command:\n        raise ValueError(command)"


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Peer:
    monkeypatch.setattr(peers, "ADAPTERS", {"pytest": request.param})
    return Peer("pytest", sys.executable)


@pytest.mark.parametrize("stand_in", [SLOW], indirect=True)
def test_a_peer_is_timed_over_the_same_commands(stand_in: Peer) -> None:
    measure = beside(stand_in, ["ls", "pwd"] * 10, lambda: None)
    assert measure.name == f"Bash decision beside pytest {version('pytest')}"
    assert measure.met
    assert float(measure.floor.split()[2]) >= 1000


@pytest.mark.parametrize("stand_in", [BROKEN], indirect=True)
def test_what_a_peer_can_not_decide_is_counted(stand_in: Peer) -> None:
    assert beside(stand_in, ["ls", "rm x", "rm y"], lambda: None).floor.endswith(", 2 failed")


@pytest.mark.parametrize("stand_in", ["import no_such_guard"], indirect=True)
def test_a_peer_that_is_not_there_says_so(stand_in: Peer) -> None:
    with pytest.raises(OSError, match="pytest: ModuleNotFoundError: No module named 'no_such_guard'"):
        beside(stand_in, ["ls"], lambda: None)


@pytest.mark.parametrize("text", ["nah", "nah=", "=python", "other=python"])
def test_a_peer_needs_a_name_with_an_adapter_and_an_interpreter(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--peer", text]) == 2
    assert "expected NAME=PYTHON, NAME one of agentbelay, nah, " in capsys.readouterr().err


@pytest.mark.parametrize("name", ADAPTERS)
def test_adapters_are_python_that_makes_a_decision(name: str) -> None:
    import ast
    import textwrap

    made = ast.dump(ast.parse(textwrap.dedent(ADAPTERS[name])))
    assert "'decide'" in made
