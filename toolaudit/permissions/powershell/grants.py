"""What allows a command text: something for each statement (documents, 3.1)."""

from __future__ import annotations

from collections.abc import Iterator

from toolaudit.model import Behavior, Outcome, ReasonType, Rule
from toolaudit.permissions.judgement import Objection
from toolaudit.permissions.powershell import paths, removals
from toolaudit.permissions.powershell.aliases import cmdlet, suspected
from toolaudit.permissions.powershell.analysis import Analysis, Part
from toolaudit.permissions.powershell.cmdlets import Kind
from toolaudit.permissions.powershell.matching import CommandRules, allow_rules, spellings
from toolaudit.permissions.request import Request
from toolaudit.structs import Struct


class Grant(Struct):
    """What stands against a text, or else what allows it, and each statement's own outcome."""

    residue: Objection | None = None
    why: str = ""
    rule: Rule | None = None
    outcomes: tuple[Outcome, ...] = ()


def grant(analysis: Analysis) -> Grant:
    """Put the statements together. A bare rule for the whole tool is not looked at: it is the judge's to apply last."""
    if analysis.refused is not None:
        return Grant(Objection(analysis.refused, ReasonType.OTHER))
    rules = allow_rules(analysis.request.policy, analysis.request.mode)
    judged = [_judge(part, rules, analysis.request) for part in analysis.parts]
    outcomes = tuple(outcome for outcome, _ in judged)
    objections = [objection for _, objection in judged if objection is not None]
    if len(objections) == 1 and (len(judged) == 1 or (objections[0].reason_type is None and not analysis.piped)):
        return Grant(objections[0], outcomes=outcomes)
    if objections:
        asking = [outcome for outcome in outcomes if outcome.behavior is Behavior.ASK]
        why = "; ".join(f"`{outcome.subject}`: {outcome.why}" for outcome in asking)
        plain = all(objection.plain for objection in objections)
        return Grant(Objection(why, ReasonType.SUBCOMMAND_RESULTS, plain=plain), outcomes=outcomes)
    rule = next((outcome.rule for outcome in outcomes if outcome.rule is not None), None)
    why = "; ".join(dict.fromkeys(outcome.why for outcome in outcomes))
    return Grant(why=why or "nothing runs", rule=rule, outcomes=outcomes)


def _judge(part: Part, rules: CommandRules, request: Request) -> tuple[Outcome, Objection | None]:
    """What becomes of a statement by itself."""
    text = part.statement.text
    objection = part.accesses.objection or next(_hazards(part, request), None)
    if objection is not None:
        return Outcome(text, Behavior.ASK, objection.why), objection
    rule = rules.match(spellings(part.statement))
    if rule is not None:
        return Outcome(text, Behavior.ALLOW, f"rule {rule.text}", rule), None
    kind = part.kind
    if kind is Kind.READ_ONLY:
        return Outcome(text, Behavior.ALLOW, "read-only"), None
    if kind is Kind.MOVE and _names_target(part):
        return Outcome(text, Behavior.ALLOW, "a directory change within the working directories"), None
    edits = kind is Kind.EDIT and request.mode.edits_silently
    if edits and not _quoted(part):
        return Outcome(text, Behavior.ALLOW, f"mode {request.mode} approves this edit"), None
    why = _needed(part, edits)
    unallowed = part.binding is not None and paths.writes_unallowed(part.binding, part.place, request)
    untyped = unallowed and not request.mode.edits_silently
    return Outcome(text, Behavior.ASK, why), Objection(why, None if untyped else ReasonType.OTHER, plain=True)


def _hazards(part: Part, request: Request) -> Iterator[Objection]:
    """What asks whatever rules for the command say."""
    if part.place.moved:
        if part.accesses.writes:
            yield Objection("it writes after a directory change", ReasonType.OTHER)
        if suspected(part.statement.name) == "git":
            yield Objection("git runs what another directory's repository configures", ReasonType.OTHER)
    if part.binding is not None and cmdlet(part.statement.name) == "remove-item":
        why = removals.needs_approval(part.binding, part.place.directories, request.workspace)
        if why is not None:
            yield Objection(why, ReasonType.OTHER)


def _names_target(part: Part) -> bool:
    """Whether a directory change says where to: not to the home directory, or to somewhere it was before."""
    operands = part.binding.operands if part.binding is not None else ()
    return bool(operands) and not any(operand.text in paths.HISTORY for operand in operands)


def _quoted(part: Part) -> bool:
    """Whether an argument without a parameter's name is written with a quote character (documents, 3.3)."""
    return part.binding is not None and any("'" in word.text or '"' in word.text for word in part.binding.positional)


def _needed(part: Part, edits: bool) -> str:
    if edits:
        return "no rule allows it, and an argument without a parameter's name holds a quote"
    if part.binding is not None and part.binding.unknown is not None:
        return f"no rule allows it, and {part.binding.unknown}"
    return "no rule allows it, and it is not known to be read-only"
