"""Models over their SDKs against a loopback server that speaks their protocols: no verdict is never an allow."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.classifier.conftest import Server, Step, hang_up, question, raw, status, text, trickle
from toolaudit.classifier import TwoStages
from toolaudit.classifier.remote import build
from toolaudit.classifier.remote.limits import Limits, parse
from toolaudit.model.verdict import Answer, Stage, Verdict

KINDS = ("anthropic", "openai")
BLOCK = json.dumps({"analysis": "x", "verdict": "block", "category": "rewritten-history", "reason": "a forced push"})
ALLOW = json.dumps({"analysis": "x", "verdict": "allow", "category": "", "reason": "the user named it"})


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "none")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    return str(request.param)


def classifier(kind: str, server: Server, **limits: Any) -> TwoStages:
    given = {"url": server.url + ("/v1" if kind == "openai" else ""), "retries": 0, "timeout": 5.0, **limits}
    return build(kind, "m", Limits(**given))


def ask(kind: str, server: Server, *script: Step, **limits: Any) -> Verdict:
    server.script = list(script)
    return classifier(kind, server, **limits).classify(question("git push --force", "push it"))


def test_stage_1_lets_pass_with_a_plain_no_and_one_request(kind: str, server: Server) -> None:
    verdict = ask(kind, server, text("No."))
    assert (verdict.behavior, verdict.stage) == (Answer.ALLOW, Stage.FIRST)
    assert (verdict.usage.input_tokens, verdict.usage.output_tokens) == (100, 5)
    assert verdict.backend == f"{kind}:m"
    assert len(server.requests) == 1
    path, body = server.requests[0]
    assert path == ("/v1/messages" if kind == "anthropic" else "/v1/chat/completions")
    assert "git push --force" in json.dumps(body)
    assert "git push --force" in verdict.input


def test_stage_2_reasons_about_what_stage_1_flagged(kind: str, server: Server) -> None:
    verdict = ask(kind, server, text("yes"), text(BLOCK))
    assert (verdict.behavior, verdict.stage, verdict.category) == (Answer.BLOCK, Stage.SECOND, "rewritten-history")
    assert verdict.reason == "a forced push"
    assert verdict.usage.input_tokens == 200


@pytest.mark.parametrize("first", ["yes", "no, but look", "I can't say no", "", "nothing", '"no"'])
def test_whatever_is_no_plain_no_is_looked_at(kind: str, server: Server, first: str) -> None:
    assert ask(kind, server, text(first), text(ALLOW)).stage is Stage.SECOND


NO_VERDICTS: dict[str, tuple[Step, ...]] = {
    "prose": (text("yes"), text("I would allow this.")),
    "a refusal that quotes allow": (
        text("yes"),
        text('I can\'t help with that. You asked me to say {"verdict": "allow", "category": "", "reason": "x"}'),
    ),
    "a verdict before a refusal": (text("yes"), text(ALLOW + "\nOn second thought I refuse.")),
    "two verdicts": (text("yes"), text(ALLOW + ALLOW)),
    "a verdict twice in one": (
        text("yes"),
        text('{"verdict": "block", "verdict": "allow", "category": "", "reason": ""}'),
    ),
    "a list": (text("yes"), text(f"[{ALLOW}]")),
    "another word": (text("yes"), text(ALLOW.replace("allow", "ALLOW"))),
    "no word": (text("yes"), text('{"verdict": null, "category": "", "reason": ""}')),
    "fields that are none": (text("yes"), text('{"verdict": "allow", "category": "", "reason": "", "override": "x"}')),
    "fields that are missing": (text("yes"), text('{"verdict": "allow"}')),
    "text that is no JSON": (text("yes"), text('{"verdict": "allow", ')),
    "an answer cut short": (text("yes"), text(ALLOW, stop="max_tokens")),
    "a refusal by the model": (text("yes"), text(ALLOW, stop="refusal")),
    "a refusal at stage 1": (text("no", stop="refusal"),),
    "a rate limit": (status(429),),
    "a server's error": (status(500),),
    "an overload": (status(529),),
    "a wrong key": (status(401),),
    "an error at stage 2": (text("yes"), status(503)),
    "a body that is no JSON": (raw(b"<html>allow</html>"),),
    "an empty body": (raw(b""),),
    "JSON of another kind": (raw(b'{"verdict": "allow"}'),),
    "a number": (raw(b"1"),),
    "no answer": (hang_up,),
}


@pytest.mark.parametrize("script", NO_VERDICTS.values(), ids=NO_VERDICTS)
def test_what_is_no_verdict_is_unavailable(kind: str, server: Server, script: tuple[Step, ...]) -> None:
    verdict = ask(kind, server, *script)
    assert verdict.behavior is Answer.UNAVAILABLE
    assert verdict.reason


def test_a_fence_around_the_verdict_is_no_harm(kind: str, server: Server) -> None:
    assert ask(kind, server, text("yes"), text(f"```json\n{BLOCK}\n```")).behavior is Answer.BLOCK


def test_an_unknown_category_is_none(kind: str, server: Server) -> None:
    verdict = ask(kind, server, text("yes"), text(BLOCK.replace("rewritten-history", "mischief")))
    assert (verdict.behavior, verdict.category) == (Answer.BLOCK, "")


def test_an_answer_that_trickles_in_is_given_up(kind: str, server: Server) -> None:
    verdict = ask(kind, server, trickle, timeout=0.5)
    assert verdict.behavior is Answer.UNAVAILABLE
    assert verdict.latency < 5


def test_a_rate_limit_is_waited_out(kind: str, server: Server) -> None:
    verdict = ask(kind, server, status(429, retry_after="0"), status(500, retry_after="0"), text("no"), retries=2)
    assert verdict.behavior is Answer.ALLOW
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    "limits",
    [{"requests": 1}, {"tokens": 50}, {"dollars": 0.0001, "price_in": 3.0, "price_out": 15.0}],
    ids=["requests", "tokens", "dollars"],
)
def test_beyond_a_limit_nobody_is_asked(kind: str, server: Server, limits: dict[str, Any]) -> None:
    server.script = [text("no")]
    asked = classifier(kind, server, **limits)
    assert asked.classify(question("ls -R")).behavior is Answer.ALLOW
    refused = asked.classify(question("ls -R"))
    assert refused.behavior is Answer.UNAVAILABLE
    assert "limit" in refused.reason
    assert len(server.requests) == 1


def test_a_price_makes_a_cost(kind: str, server: Server) -> None:
    verdict = ask(kind, server, text("no"), price_in=10.0, price_out=100.0)
    assert verdict.usage.dollars == pytest.approx((100 * 10 + 5 * 100) / 1_000_000)


@pytest.mark.parametrize(
    "options",
    [
        ["tokens"],
        ["colour=red"],
        ["timeout=soon"],
        ["timeout=0"],
        ["jobs=-1"],
        ["dollars=1"],
        ["timeout=inf"],
        ["jobs=0"],
    ],
)
def test_options_that_are_none(options: list[str]) -> None:
    with pytest.raises(ValueError, match=r"expected|need|more than"):
        parse(options)


def test_options() -> None:
    limits = parse(["url=http://127.0.0.1:9", "timeout=2.5", "jobs=2", "dollars=1", "price_in=3"])
    assert (limits.url, limits.timeout, limits.jobs, limits.dollars) == ("http://127.0.0.1:9", 2.5, 2, 1.0)
