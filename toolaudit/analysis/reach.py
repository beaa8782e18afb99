"""Whether a policy lets anything through that a rule describes, and whether a rule decides anything at all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from toolaudit.analysis import examples
from toolaudit.analysis.automaton import UndecidedError
from toolaudit.analysis.containment import Others, witnesses
from toolaudit.analysis.diff import STRENGTH, Side, describe
from toolaudit.analysis.languages import Directories
from toolaudit.analysis.shadowing import covered
from toolaudit.model import Behavior, Decision, Rule, Scope, Source, ToolCall


@dataclass(frozen=True, slots=True)
class Reached:
    """A call, replayed, and what was asked about it."""

    subject: str
    call: ToolCall
    decision: Decision
    through: str = ""
    """The program that starts the one in question, where it does not start by itself."""


@dataclass(frozen=True, slots=True)
class Unreached:
    """No such call was found."""

    proved: bool
    """It was proved that there is none, for calls that the rule itself describes."""
    why: str
    tried: int = 0
    """How many calls were decided in search of one."""


def directories(side: Side) -> Directories:
    """The directories that path rules of one side are read from."""
    further = [one.path for one in side.policy.directories if one.path != side.workspace.cwd]
    return Directories(side.workspace.cwd, side.workspace.home, tuple(dict.fromkeys(further)))


def allowed(rule: Rule, side: Side) -> Reached | Unreached:
    """A call that `rule` describes and the policy allows.

    Asked of each allow rule exactly; of what runs without one, by examples; and of programs that start others, by the
    ways that are known.
    """
    tried = 0
    undecided = ""
    places = directories(side)
    stops = Others((one for one in side.rules if STRENGTH[one.behavior] > 1), places)
    try:
        for grant in side.rules:
            if grant.behavior is not Behavior.ALLOW or not _same_tool(grant, rule):
                continue
            for found in witnesses((grant, rule), stops, places):
                tried += 1
                decision = side.decide(found.call)
                if decision.behavior is Behavior.ALLOW:
                    return Reached(describe(found.call), found.call, decision)
    except UndecidedError as error:
        undecided = str(error)
    for call, through in (*((call, "") for call in examples.calls(rule, places)), *_around(rule, side)):
        tried += 1
        decision = side.decide(call)
        if decision.behavior is Behavior.ALLOW:
            return Reached(describe(call), call, decision, through)
    if undecided:
        return Unreached(False, f"not decided exactly: {undecided}", tried)
    return Unreached(True, "no allow rule reaches it, nor does any way around that is known", tried)


def _same_tool(one: Rule, other: Rule) -> bool:
    wide = any("*" in rule.tool or rule.tool.startswith("mcp__") for rule in (one, other))
    return wide or one.tool == other.tool


def _around(rule: Rule, side: Side) -> Iterator[tuple[ToolCall, str]]:
    """Commands that do what `rule` describes by means of another program."""
    from toolaudit.fuzz import rewrites
    from toolaudit.fuzz.chance import Dice
    from toolaudit.fuzz.facts import facts
    from toolaudit.fuzz.meaning import static_words
    from toolaudit.fuzz.rewrites.command import quote
    from toolaudit.shell import read

    shown = next(examples.calls(rule, directories(side)), None)
    if shown is None:
        return
    if rule.tool in ("Read", "Edit"):
        wanted = "reads" if rule.tool == "Read" else "writes"
        for fact in facts():
            if fact.how == wanted:
                words = (word.replace("{path}", str(shown.input["file_path"])) for word in fact.words)
                yield ToolCall("Bash", {"command": " ".join(map(quote, words))}), fact.program
    elif rule.tool == "Bash":
        commands = [command for command in read(str(shown.input["command"])).commands if command.argv]
        words_of = static_words(commands[0]) if len(commands) == 1 else None
        for name in rewrites.BY_PROGRAM if words_of else ():
            command = rewrites.rewrite(words_of or (), [name], Dice(0))
            if command.rewrites:
                yield ToolCall("Bash", {"command": command.text}), name


def deciding(rule: Rule, side: Side) -> Reached | Unreached:
    """A call that `rule`, one of the side's, decides; or why there is none."""
    if (reason := dict(side.policy.ignored).get(rule)) is not None:
        return Unreached(True, f"the rule is not in force: {reason}")
    places = directories(side)
    stronger = [one for one in side.rules if STRENGTH[one.behavior] > STRENGTH[rule.behavior]]
    earlier = [one for one in side.rules if one.behavior is rule.behavior]
    earlier = earlier[: next((at for at, one in enumerate(earlier) if one is rule), 0)]
    tried = 0
    proved = False
    try:
        for outside in ([*stronger, *earlier], stronger):
            found = list(witnesses((rule,), Others(outside, places), places))
            proved = not found
            for one in found:
                tried += 1
                if examples.decides(one.call, rule, side.policy, side.mode, side.workspace):
                    return Reached(describe(one.call), one.call, side.decide(one.call))
    except UndecidedError as error:
        return Unreached(False, f"not decided exactly: {error}", tried)
    if proved:
        over = next((other for _, other in covered([rule], stronger, places)), None)
        why = f"{over} ({over.source}) comes first" if over is not None else "stronger rules leave nothing of it"
        return Unreached(True, why if stronger else "it covers no call", tried)
    for call in examples.calls(rule, places):
        tried += 1
        if examples.decides(call, rule, side.policy, side.mode, side.workspace):
            return Reached(describe(call), call, side.decide(call))
    return Unreached(False, "other rules or no rule decided all that was tried", tried)


def decided_so(behavior: Behavior, side: Side, tool: str | None = None) -> Reached | Unreached:
    """A call that is decided so, of `tool` if one is named, looked for along every rule and where none applies."""
    tried = 0
    places = directories(side)
    rules = [rule for rule in side.rules if tool is None or rule.tool == tool]
    plain = Rule(Behavior.ALLOW, tool or "Bash", tool or "Bash", None, Source(Scope.CLI), side.workspace.cwd)
    for rule in (*rules, plain):
        for call in examples.calls(rule, places):
            tried += 1
            decision = side.decide(call)
            if decision.behavior is behavior:
                return Reached(describe(call), call, decision)
    return Unreached(False, "no rule's own calls are decided so", tried)
