"""Sub-agents: what they do comes from the script, their prompts go up, and what they leave comes back."""

from __future__ import annotations

from collections.abc import Callable

from toolaudit.model import Behavior
from toolaudit.play.answers import Answers
from toolaudit.play.player import Played
from toolaudit.play.workspace import Ground

Play = Callable[..., list[Played]]

AGENT = """\
- call:
    tool: Agent
    input: {description: d, prompt: p%s}
    steps: [{call: {tool: Bash, input: {command: "touch made"}%s}}]
    report: all done
"""


def test_the_report_comes_back_and_so_does_the_transcript(play: Play, ground: Ground) -> None:
    inner, outer = play(AGENT % ("", ""), allow=("Bash(touch *)",))
    assert (inner.outcome.call.tool, outer.outcome.call.tool) == ("Bash", "Agent")
    assert inner.agent
    assert not outer.agent
    assert (ground.cwd / "made").exists()
    (text,) = outer.outcome.block["content"]
    assert text["text"] == f"all done\nagentId: {inner.agent}"
    assert {message.origin for message in outer.outcome.messages} == {f"agent {inner.agent}"}
    kinds = [block["type"] for message in outer.outcome.messages for block in message.content]
    assert kinds == ["tool_use", "tool_result"]


def test_a_prompt_of_a_sub_agent_reaches_the_person(play: Play, ground: Ground) -> None:
    answers = Answers()
    inner, outer = play(AGENT % ("", ", answer: allow"), answers=answers)
    assert [(question.agent, question.call.tool) for question in answers.asked] == [(inner.agent, "Bash")]
    assert inner.outcome.executed
    assert outer.outcome.executed
    assert (ground.cwd / "made").exists()


def test_a_refused_prompt_stops_the_call_and_not_the_agent(play: Play, ground: Ground) -> None:
    inner, outer = play(AGENT % ("", ", answer: deny"))
    assert not inner.outcome.executed
    assert outer.outcome.executed
    assert not (ground.cwd / "made").exists()


def test_one_in_the_background_is_waited_for_at_the_end(play: Play, ground: Ground) -> None:
    played = play(AGENT % (", run_in_background: true", ""), allow=("Bash(touch *)",))
    assert {one.outcome.call.tool for one in played} == {"Agent", "Bash"}
    outer = next(one for one in played if one.outcome.call.tool == "Agent")
    assert outer.outcome.block["content"][0]["text"].startswith("Async agent launched successfully.\nagentId: a")
    assert (ground.cwd / "made").exists()


def test_an_agent_in_bubble_mode_asks_upwards(play: Play, ground: Ground) -> None:
    """On its own, in a version in which such agents reached nobody: the mode is what makes the question go up."""
    answers = Answers()
    script = AGENT % (", run_in_background: true", ", answer: allow")
    for mode, reached in (("default", False), ("bubble", True)):
        played = play(script.replace("    report", f"    mode: {mode}\n    report"), answers=answers, version="2.1.100")
        inner = next(one for one in played if one.agent)
        assert inner.mode == mode
        assert inner.outcome.executed is reached
        assert bool(answers.asked) is reached


def test_a_result_that_was_kept_is_read_with_read(play: Play, ground: Ground) -> None:
    (long,) = play('- call: {Bash: {command: "seq 1 20000"}}', allow=("Bash(seq *)",))
    (path,) = ground.results.iterdir()
    assert str(path) in long.outcome.block["content"]
    answers = Answers()
    (read,) = play(f"- call: {{Read: {{file_path: {path}, offset: 20000}}}}", answers=answers)
    assert read.outcome.block["content"] == "20000\t20000"
    assert not answers.asked


def test_agents_of_one_message_each_do_their_own(play: Play, ground: Ground) -> None:
    one = "{tool: Agent, input: {description: d, prompt: %s}, steps: [{call: {Bash: {command: touch %s}}}]}"
    calls = ", ".join(one % (name, name) for name in ("first", "second"))
    played = play(f"- calls: [{calls}]", allow=("Bash(touch *)",))
    assert len(played) == 4
    assert (ground.cwd / "first").exists()
    assert (ground.cwd / "second").exists()


def test_an_agent_the_script_says_nothing_of_does_nothing(play: Play) -> None:
    (only,) = play("- call: {Agent: {description: d, prompt: p}}")
    assert only.outcome.executed
    assert "The script says nothing" in only.outcome.block["content"][0]["text"]


def test_an_unknown_kind_of_agent_is_invalid(play: Play) -> None:
    (only,) = play("- call: {Agent: {description: d, prompt: p, subagent_type: nobody}}")
    assert only.outcome.behavior is Behavior.INVALID


def test_a_report_that_is_too_long_is_cut(play: Play) -> None:
    (only,) = play(f"- call: {{tool: Agent, input: {{description: d, prompt: p}}, report: {'x' * 40_000}}}")
    text = only.outcome.block["content"][0]["text"]
    assert len(text) < 33_000
    assert "[The rest of the report was left out: too long.]" in text
