"""Hooks: which ones a call wakes, what they say and how their words are joined; and hooks that run."""

from __future__ import annotations

import http.server
import json
import shutil
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.pipeline.conftest import Session, call, make_tool, note, text
from toolaudit.classifier.question import Question, Told
from toolaudit.model import Behavior, Mode, ToolCall
from toolaudit.model.verdict import Answer, Stage, Verdict
from toolaudit.model.versions import Version
from toolaudit.permissions import hook_words
from toolaudit.permissions.hook_words import Said, join
from toolaudit.permissions.stated_hooks import holds, matches
from toolaudit.pipeline.classifying import Classifying
from toolaudit.pipeline.hooks.live import LiveHooks, select
from toolaudit.pipeline.live import Services, run_call
from toolaudit.pipeline.orchestration import run_calls
from toolaudit.pipeline.outcome import CallOutcome
from toolaudit.pipeline.stated import Fixed, StatedHooks
from toolaudit.tools.effects.commands import Refusing, Unconfined, find_runner
from toolaudit.tools.messages import sent

SANDBOX = not isinstance(find_runner(), Refusing)
needs_sandbox = pytest.mark.skipif(not SANDBOX, reason="needs bubblewrap")


@pytest.mark.parametrize(
    ("matcher", "tool", "expected"),
    [
        ("", "Echo", True),
        ("*", "Echo", True),
        ("Echo", "Echo", True),
        ("Ech", "Echo", False),
        ("Read|Echo", "Echo", True),
        ("Read, Echo", "Echo", True),
        ("Read|Ech", "Echo", False),
        ("mcp__s", "mcp__s__t", False),
        ("mcp__s__.*", "mcp__s__t", True),
        ("cho.", "Echoes", True),
        ("echo", "Echo", False),
        ("(", "Echo", True),
        ("(a+)+b", "Echo", True),
    ],
)
def test_matcher(matcher: str, tool: str, expected: bool) -> None:
    assert matches(matcher, tool) is expected


@pytest.mark.parametrize(
    ("condition", "command", "expected"),
    [
        ("Bash(git *)", "git push", True),
        ("Bash(git *)", "npm test", False),
        ("Bash(git *)", "npm test && git push", True),
        ("Bash(git *)", "A=b git push", True),
        ("Bash(git *)", "echo $(git push)", True),
        ("Bash(git *)", "echo `git push`", True),
        ("Bash(git *)", "for", True),
        ("Read(*)", "git push", False),
        ("Bash", "anything", True),
    ],
)
def test_condition(condition: str, command: str, expected: bool) -> None:
    """The `if` of a hook is one rule; a command that can't be read wakes the hook."""
    assert holds(condition, ToolCall("Bash", {"command": command})) is expected


def specific(**values: Any) -> Mapping[str, Any]:
    return {"hookSpecificOutput": values}


@pytest.mark.parametrize(
    ("event", "code", "output", "behavior"),
    [
        ("PreToolUse", 0, {}, None),
        ("PreToolUse", 2, {}, Behavior.DENY),
        ("PreToolUse", 2, specific(permissionDecision="allow"), Behavior.DENY),
        ("PreToolUse", 1, {}, None),
        ("PreToolUse", 1, specific(permissionDecision="deny"), Behavior.DENY),
        ("PreToolUse", 0, specific(permissionDecision="allow"), Behavior.ALLOW),
        ("PreToolUse", 0, specific(permissionDecision="ask"), Behavior.ASK),
        ("PreToolUse", 0, specific(permissionDecision="unheard-of"), None),
        ("PreToolUse", 0, {"decision": "block"}, Behavior.DENY),
        ("PreToolUse", 0, {"decision": "approve"}, Behavior.ALLOW),
        ("PreToolUse", 0, {"continue": False}, None),
        ("PreToolUse", 0, {"decision": "allow"}, None),
        ("PreToolUse", 0, {"decision": "deny"}, None),
        ("PreToolUse", 0, {"hookSpecificOutput": "text"}, None),
        ("PermissionRequest", 0, specific(decision={"behavior": "allow"}), Behavior.ALLOW),
        ("PermissionRequest", 0, specific(decision={"behavior": "deny"}), Behavior.DENY),
        ("PermissionRequest", 2, {}, None),
        ("PostToolUse", 0, specific(permissionDecision="deny"), None),
        ("PostToolUse", 2, {}, None),
    ],
)
def test_words(event: str, code: int, output: Mapping[str, Any], behavior: Behavior | None) -> None:
    assert hook_words.read(event, code, output).behavior is behavior


@pytest.mark.parametrize(
    ("said", "behavior"),
    [
        (["allow", "deny", "ask"], Behavior.DENY),
        (["allow", "ask"], Behavior.ASK),
        (["allow", "allow"], Behavior.ALLOW),
        ([], None),
    ],
)
def test_the_strictest_word_counts(said: list[str], behavior: Behavior | None) -> None:
    assert join(Said(Behavior(word)) for word in said).verdict.behavior is behavior


def test_deferring_yields_to_a_denial_only() -> None:
    later = Said(deferred=True)
    assert join([later, Said(Behavior.ALLOW), Said(Behavior.ASK)]).deferred
    assert not join([later, Said(Behavior.DENY)]).deferred


def test_what_a_hook_tells_the_classifier_is_short() -> None:
    said = hook_words.read("PostToolUse", 0, specific(classifierContext="x" * 5000))
    assert len(said.classifier_context) == 2000


def stated(session: Session, *hooks: Mapping[str, Any], **given: Any) -> CallOutcome:
    tool = given.pop("tool", None) or make_tool()
    services = Services(hooks=StatedHooks(hooks), classifier=given.pop("classifier", Fixed()))
    return run_call(call(tool.name, text="x"), session(tool, **given), services)


def test_a_hook_s_allow_does_not_beat_a_deny_rule(session: Session) -> None:
    hook = {"decision": "allow"}
    assert stated(session, hook, allow=()).executed
    tool = make_tool(check_permissions=lambda given, context: denial())
    assert stated(session, hook, tool=tool).behavior is Behavior.DENY


def denial() -> Any:
    from toolaudit.tools.interface import PermissionResult

    return PermissionResult(Behavior.DENY, "no")


def test_a_hook_s_allow_does_not_beat_an_ask_rule(session: Session) -> None:
    assert not stated(session, {"decision": "allow"}, ask=("Echo",)).executed


def test_a_hook_s_ask_prompts_even_in_bypass(session: Session) -> None:
    outcome = stated(session, {"decision": "ask"}, mode=Mode.BYPASS)
    assert outcome.decision is not None
    assert outcome.decision.behavior is Behavior.ASK


def test_a_hook_can_stop_the_session(session: Session) -> None:
    outcome = stated(session, {"json": {"continue": False, "stopReason": "enough"}})
    assert outcome.executed
    assert outcome.stop == "enough"


def request(**decision: Any) -> Mapping[str, Any]:
    return {"event": "PermissionRequest", "json": specific(decision=decision)}


def test_permission_request_hooks_answer_prompts(session: Session) -> None:
    assert stated(session, request(behavior="allow"), allow=()).executed
    refused = stated(session, request(behavior="deny", message="not now"), allow=())
    assert refused.behavior is Behavior.DENY
    assert "not now" in text(refused)


def test_permission_request_hooks_are_heard_only_where_the_chain_asks(session: Session) -> None:
    assert stated(session, request(behavior="deny")).executed


def test_what_a_permission_request_hook_rewrites_runs_and_is_checked_again(session: Session) -> None:
    assert text(stated(session, request(behavior="allow", updatedInput={"text": "new"}), allow=())) == "new"
    bad = stated(session, request(behavior="allow", updatedInput={"count": "many"}), allow=())
    assert bad.behavior is Behavior.DENY


def test_permission_denied_hooks_hear_of_the_classifier_s_denials_alone(session: Session) -> None:
    """Documents, 14, row 14: of no other denial."""
    hook = {"event": "PermissionDenied", "json": specific(retry=True)}
    tool = make_tool(to_auto_classifier_input=lambda given: given.text)
    by_classifier = stated(session, hook, tool=tool, mode=Mode.AUTO, allow=(), classifier=Fixed("block"))
    assert [message.origin for message in by_classifier.messages] == ["PermissionDenied"]
    by_rule = stated(session, hook, {"decision": "deny"})
    assert by_rule.ended_by == "denial"
    assert not by_rule.messages


def after(**output: Any) -> Mapping[str, Any]:
    return {"event": "PostToolUse", "json": output}


def test_post_hooks_add_to_the_conversation(session: Session) -> None:
    outcome = stated(session, after(decision="block", reason="look again", **specific(additionalContext="by the way")))
    assert [message.content for message in outcome.messages] == ["look again", "by the way"]
    assert outcome.executed


def test_post_hooks_replace_the_output(session: Session) -> None:
    hook = after(**specific(updatedToolOutput="other"))
    assert text(stated(session, hook)) == "other"


@pytest.mark.parametrize(("name", "expected"), [("Echo", "x"), ("mcp__s__echo", "other")])
def test_in_older_versions_only_that_of_mcp_tools(name: str, expected: str, session: Session) -> None:
    """Documents, 14, row 15."""
    hook = after(**specific(updatedMCPToolOutput="other"))
    tool = make_tool(name, source="built-in" if name == "Echo" else "s")
    outcome = stated(session, hook, tool=tool, options={"version": Version(2, 1, 100)})
    assert text(outcome) == expected


def test_post_hooks_can_stop_the_session(session: Session) -> None:
    outcome = stated(session, after(**{"continue": False, "stopReason": "enough"}))
    assert outcome.executed
    assert outcome.stop == "enough"


def test_a_failure_has_hooks_of_its_own(session: Session) -> None:
    def fail(*given: Any) -> Any:
        raise ValueError("broken")

    hooks = (after(**specific(additionalContext="done")), {**after(**specific(additionalContext="failed"))})
    failing = {"event": "PostToolUseFailure", "json": specific(additionalContext="failed")}
    outcome = stated(session, hooks[0], failing, tool=make_tool(call=fail))
    assert [message.content for message in outcome.messages] == ["failed"]


# Hooks that run.


def live(
    session: Session, *commands: Any, event: str = "PreToolUse", services: Any = None, **given: Any
) -> CallOutcome:
    entries = [one if isinstance(one, dict) else {"type": "command", "command": one, "timeout": 20} for one in commands]
    settings = {"hooks": {event: [{"matcher": "*", "hooks": entries}]}}
    context = session(given.pop("tool", None) or make_tool(), settings=settings, **given)
    return run_call(call(text="x"), context, services or Services(hooks=LiveHooks()))


@needs_sandbox
def test_a_hook_of_the_settings_runs_every_time_whatever_it_says_of_once(session: Session) -> None:
    """Measured, for hooks that exit with 2 and for those that print a decision."""
    services = Services(hooks=LiveHooks())
    hook = {"type": "command", "command": "exit 2", "once": True}
    context = session(make_tool(), settings={"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [hook]}]}})
    assert [run_call(call(), context, services).behavior for _ in range(2)] == [Behavior.DENY] * 2


def test_no_hook_runs_unless_asked(session: Session, tmp_path: Path) -> None:
    outcome = live(session, f"touch {tmp_path}/ran; exit 2", services=Services())
    assert outcome.executed
    assert not (tmp_path / "ran").exists()


def test_where_there_is_no_sandbox_no_command_runs(session: Session, tmp_path: Path) -> None:
    services = Services(hooks=LiveHooks(runner=Refusing()))
    outcome = live(session, f"touch {tmp_path}/ran", services=services)
    assert not (tmp_path / "ran").exists()
    assert "not run here" in note(outcome, "pre_hooks")


@needs_sandbox
def test_a_hook_reads_the_call_and_answers(session: Session) -> None:
    script = (
        'test "$(jq -r .tool_input.text)" = x && exit 2' if shutil.which("jq") else 'grep -q \'"text": "x"\' && exit 2'
    )
    assert live(session, script).behavior is Behavior.DENY
    assert live(session, 'grep -q \'"permission_mode": "plan"\' && exit 2').executed


@needs_sandbox
def test_what_a_blocking_hook_prints_on_stderr_reaches_the_model(session: Session) -> None:
    assert "use the other branch" in text(live(session, "echo use the other branch >&2; exit 2"))


@needs_sandbox
def test_a_hook_has_no_network_and_writes_only_in_the_workspace(session: Session, tmp_path: Path) -> None:
    script = (
        f"touch {tmp_path}/outside 2>/dev/null; touch inside; test $(wc -l < /proc/net/dev) -gt 3 && exit 2; exit 0"
    )
    assert live(session, script).executed
    assert not (tmp_path / "outside").exists()
    assert (tmp_path / "work" / "inside").exists()


def test_hooks_that_do_the_same_run_once(session: Session) -> None:
    twice = {
        "hooks": {"PreToolUse": [{"matcher": m, "hooks": [{"type": "command", "command": "true"}]} for m in ("*", "")]}
    }
    context = session(make_tool(), settings=twice)
    assert len(select(context.permissions.policy.hooks, "PreToolUse", call())) == 1


@needs_sandbox
def test_a_hook_that_fails_blocks_only_where_it_is_told_to(session: Session) -> None:
    hook = {"type": "command", "command": "exit 7"}
    assert live(session, hook).executed
    assert live(session, {**hook, "onFailure": "block"}).behavior is Behavior.DENY


@needs_sandbox
def test_a_hook_that_is_not_waited_for_decides_nothing(session: Session) -> None:
    assert live(session, {"type": "command", "command": "exit 2", "async": True}).executed


@needs_sandbox
def test_a_long_text_of_a_hook_goes_to_a_file(session: Session, tmp_path: Path) -> None:
    body = '\'{"hookSpecificOutput": {"additionalContext": "%s"}}\''
    outcome = live(session, f"printf {body} $(head -c 20000 /dev/zero | tr '\\0' a)")
    content = outcome.messages[0].content
    assert isinstance(content, str)
    assert len(content) < 10_000
    assert "persisted-output" in content
    assert list((tmp_path / "results").iterdir())


class _Answer(http.server.BaseHTTPRequestHandler):
    asked: list[Mapping[str, Any]]

    def do_POST(self) -> None:
        self.asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        if self.path == "/away":
            self.send_response(302)
            self.send_header("Location", "/deny")
            self.end_headers()
            return
        body = json.dumps(specific(permissionDecision="deny")).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *given: Any) -> None:
        pass


@pytest.fixture
def server() -> Iterator[tuple[str, list[Mapping[str, Any]]]]:
    asked: list[Mapping[str, Any]] = []
    handler = type("Handler", (_Answer,), {"asked": asked})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"127.0.0.1:{running.server_port}", asked
        running.shutdown()


def test_http_hooks_go_nowhere_unless_allowed(server: tuple[str, list[Mapping[str, Any]]], session: Session) -> None:
    place, asked = server
    hook = {"type": "http", "url": f"http://{place}/deny"}
    outcome = live(session, hook)
    assert outcome.executed
    assert not asked
    assert "not allowed" in note(outcome, "pre_hooks")


def test_http_hooks_answer_where_allowed(server: tuple[str, list[Mapping[str, Any]]], session: Session) -> None:
    place, asked = server
    services = Services(hooks=LiveHooks(hosts=frozenset({place})))
    assert live(session, {"type": "http", "url": f"http://{place}/deny"}, services=services).behavior is Behavior.DENY
    assert asked[0]["tool_name"] == "Echo"
    redirected = live(session, {"type": "http", "url": f"http://{place}/away"}, services=services)
    assert redirected.executed
    assert "status 302" in note(redirected, "pre_hooks")


def test_without_a_sandbox_hooks_run_only_for_those_who_say_so(session: Session) -> None:
    assert live(session, "exit 2", services=Services(hooks=LiveHooks(runner=Unconfined()))).behavior is Behavior.DENY


def test_what_a_hook_tells_the_classifier_reaches_it_alone(session: Session) -> None:
    """With the next call's question, and never in what is sent to the model (documents, 9.5.2)."""
    asked: list[Question] = []

    class Backend:
        name = "noting"

        def classify(self, question: Question) -> Verdict:
            asked.append(question)
            return Verdict(Answer.ALLOW, Stage.FIXED, "", "", self.name)

    hook = {"event": "PostToolUse", "json": {"hookSpecificOutput": {"classifierContext": "x" * 3000}}}
    services = Services(hooks=StatedHooks((hook,)), classifier=Classifying(Backend()))
    tool = make_tool(to_auto_classifier_input=lambda given: given.text)
    context = session(tool, mode=Mode.AUTO, allow=())
    first = run_calls([call(text="one")], context, services)
    run_calls([call(text="two")], first.context, services)
    assert [question.shown for question in asked] == ["one", "two"]
    assert asked[0].conversation == ()
    assert asked[1].conversation[-1] == Told("x" * 2000)
    assert "x" * 2000 not in str(sent(first.context.messages))
