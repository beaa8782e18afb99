"""One decision, explained so that a person sees at once what decided and what to change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TextIO

from toolaudit.model import Behavior, Decision, Mode, Policy, ReasonType, Rule, ToolCall
from toolaudit.reporting.text import Paint, plain

COLOURS = {
    Behavior.ALLOW: "green",
    Behavior.ASK: "yellow",
    Behavior.DENY: "red",
    Behavior.REMOVED: "red",
    Behavior.INVALID: "magenta",
}


def write(call: ToolCall, decision: Decision, policy: Policy, mode: Mode, mode_why: str, stream: TextIO) -> None:
    """Verdict, reason, parts, chain and advice, as lines of text."""
    paint = Paint(stream)
    for line in _lines(call, decision, policy, mode, mode_why, paint):
        print(line.rstrip(), file=stream)


def _lines(
    call: ToolCall, decision: Decision, policy: Policy, mode: Mode, mode_why: str, paint: Paint
) -> Iterator[str]:
    yield f"{paint(decision.behavior.upper(), COLOURS[decision.behavior], bold=True)}  {_subject(call)}"
    yield ""
    yield f"  because  {plain(decision.why)}"
    if decision.rule is not None:
        yield f"  rule     {plain(decision.rule.text)}  ({decision.rule.behavior}, {plain(str(decision.rule.source))})"
    reason = f", reason type {decision.reason_type}" if decision.reason_type is not None else ""
    yield f"  stage    {decision.stage}{reason}"
    if decision.verdict is not None:
        said = decision.verdict
        about = f", {said.category}" if said.category else ""
        yield f"  asked    {plain(said.backend)} says {said.behavior} ({said.stage}{about})"
    yield f"  mode     {mode} ({plain(mode_why)})"
    advice = advise(call, decision, mode)
    if advice:
        yield f"  change   {plain(advice)}"
    if len(decision.subcommands) > 1:
        yield ""
        yield paint("  parts", bold=True)
        for outcome in decision.subcommands:
            where = _where(outcome.rule)
            verdict = paint(f"{outcome.behavior:5}", COLOURS[outcome.behavior])
            yield f"    {verdict}  {plain(outcome.subject)}  {paint(plain(outcome.why) + where, 'dim')}"
    yield ""
    yield paint("  chain", bold=True)
    for entry in decision.trace:
        verdict = paint(f"{entry.behavior:5}", COLOURS[entry.behavior]) if entry.behavior is not None else "  -  "
        yield f"    {entry.stage:8} {verdict}  {paint(plain(entry.note), 'dim')}"
    for finding in decision.findings:
        yield ""
        yield f"  {paint(finding.severity, 'yellow')} {finding.id}: {plain(finding.message)}"
        if finding.witness:
            yield f"    {plain(finding.witness)}"
        yield f"    {plain(finding.help)}"
    for rule, why in policy.ignored:
        if rule.tool == call.tool:
            yield ""
            yield f"  ignored  {plain(rule.text)}{_where(rule)}: {plain(why)}"


def _subject(call: ToolCall) -> str:
    command = call.input.get("command")
    if call.tool in ("Bash", "PowerShell") and isinstance(command, str):
        return plain(command)
    import json

    return f"{plain(call.tool)} {plain(json.dumps(dict(call.input), ensure_ascii=False))}"


def _where(rule: Rule | None) -> str:
    return f" ({plain(str(rule.source))})" if rule is not None else ""


def advise(call: ToolCall, decision: Decision, mode: Mode) -> str:
    """What to change for another outcome, in a sentence; empty where nothing needs saying."""
    if decision.behavior is Behavior.ALLOW:
        if decision.rule is not None:
            return f"to stop it, narrow {decision.rule.text} or add a deny rule"
        return "to stop it, add a deny or ask rule; deny rules are looked at first"
    rule = decision.rule
    if rule is not None and rule.behavior in (Behavior.DENY, Behavior.ASK):
        return f"to let it run, narrow or remove {rule.text} at {rule.source}; no allow rule outranks it"
    if decision.stage == "removal":
        return "nothing approves this but a person; name the target without variables, or remove less"
    if decision.reason_type is ReasonType.SAFETY_CHECK:
        return "no allow rule approves this; write somewhere else, or approve it when asked"
    if decision.reason_type is ReasonType.HOOK:
        return "the hook decided; change the hook"
    if decision.reason_type is ReasonType.MODE:
        return f"mode {mode} never prompts; add an allow rule for what would have prompted"
    if not decision.subcommands and decision.stage == "prompt" and call.tool == "Bash":
        return "no rule for a part can help; say it more plainly, or let one rule spell the whole command out"
    asking = [outcome.subject for outcome in decision.subcommands if outcome.behavior is Behavior.ASK]
    if asking:
        return f"to let it run, grant what asks: {', '.join(_granting(call, subject) for subject in asking)}"
    return ""


READERS = frozenset({"Read", "Grep", "Glob"})
WRITERS = frozenset({"Edit", "Write", "NotebookEdit"})


def _granting(call: ToolCall, subject: str) -> str:
    """The narrowest allow rule for one part of a call."""
    if call.tool in READERS or call.tool in WRITERS:
        return f"{'Read' if call.tool in READERS else 'Edit'}(/{subject})"
    if call.tool == "WebFetch":
        host = str(call.input.get("url", "")).partition("://")[2].partition("/")[0].rpartition("@")[2].partition(":")[0]
        return f"WebFetch(domain:{host})"
    return f"{call.tool}({subject})" if call.tool in ("Bash", "PowerShell") else call.tool
