from __future__ import annotations

from collections.abc import Iterator, Sequence

from toolaudit.model import Behavior, Mode, Outcome, Policy, ReasonType, Rule
from toolaudit.permissions.bash import editors, guards, hazards, paths, refusals, removals
from toolaudit.permissions.bash.matching import allow_rules, command_rules
from toolaudit.permissions.bash.parts import (
    NESTING,
    SAFE_VARIABLES,
    Part,
    allow_texts,
    deny_texts,
    parts_of,
    whole_texts,
)
from toolaudit.permissions.judgement import Judgement, Objection
from toolaudit.permissions.request import Request
from toolaudit.shell import Reading, SimpleCommand, read
from toolaudit.shell.readonly import read_only

UNSEEN_BY_ASK = NESTING | {"subshell", "function", "here-document"}
"""Constructs in which an ask rule still prompts, but the client names the construct as its reason (measured)."""

APPROVAL = "the command requires approval"


def judge(request: Request) -> Judgement:
    """The Bash tool's own check of one command text."""
    text = request.call.input["command"]
    reading = read(text)
    parts = parts_of(reading)
    refused = refusals.refuse(reading, parts, request.workspace.home)
    denied = _denied(text, reading, parts, request, refused)
    if denied is not None:
        return Judgement(denied=denied, outcomes=(Outcome(text, Behavior.DENY, denied.why, denied.rule),))
    accesses = paths.examine(parts, request) if refused is None else ()
    denied_path = next((access.denied for access in accesses if access.denied is not None), None)
    if denied_path is not None:
        return Judgement(
            denied=denied_path, outcomes=(Outcome(text, Behavior.DENY, denied_path.why, denied_path.rule),)
        )
    critical = removals.find(reading, request.workspace)
    outcomes = tuple(_outcomes(parts, accesses, request)) if refused is None else ()
    unsafe = next((access.unsafe for access in accesses if access.unsafe is not None), None)
    residue, granted, rule = _residue(text, reading, parts, request, refused, accesses, outcomes)
    if unsafe is None and residue is None and _runs_in_background(reading):
        unsafe = Objection("`&` defers execution past the checks", ReasonType.SAFETY_CHECK)
    asked = _asked(text, reading, parts, request, refused, residue)
    bare = allow_rules(request.policy, request.mode).bare
    if residue is not None and bare is not None:
        residue, granted, rule = None, f"rule {bare.text} allows the whole tool", bare
    return Judgement(
        asked=asked,
        critical=critical,
        unsafe=unsafe,
        residue=residue,
        granted=granted,
        rule=rule,
        outcomes=outcomes,
    )


def _denied(
    text: str, reading: Reading, parts: Sequence[Part], request: Request, refused: str | None
) -> Objection | None:
    """The deny rule that matches the text or a part of it, in whatever construct.

    The client gives `rule` as reason where the whole text matched or it did not look at parts, and none at all where a
    hook had spoken.
    """
    rules = command_rules(request.policy, Behavior.DENY)
    if not rules:
        return None
    hooked = request.hook.behavior is not None
    whole_kind = None if hooked else ReasonType.RULE
    part_kind = None if hooked else ReasonType.SUBCOMMAND_RESULTS
    whole = whole_texts(text, reading)
    exact = next(filter(None, map(rules.match_exact, whole)), None)
    if exact is not None:
        return _matched(exact, text, whole_kind)
    looked_into = refused is None and not any(hazards.hazard(part.words) for part in parts)
    for command in reading.commands:
        if command.argv:
            rule = rules.match(deny_texts(command))
            if rule is not None:
                alone = len(parts) == 1 and any(rules.match_exact(spelling) is rule for spelling in deny_texts(command))
                return _matched(rule, command.text, part_kind if looked_into and not alone else whole_kind)
    rule = rules.match(whole)
    return _matched(rule, text, whole_kind) if rule is not None else None


def _asked(
    text: str,
    reading: Reading,
    parts: Sequence[Part],
    request: Request,
    refused: str | None,
    residue: Objection | None,
) -> Objection | None:
    """The ask rule that matches the text or a part of it. The client then gives its own objection as reason, if any."""
    rules = command_rules(request.policy, Behavior.ASK)
    if not rules and rules.bare is None:
        return None
    rule = rules.match(whole_texts(text, reading)) if refused is not None or len(parts) == 1 else None
    if rule is not None:
        return _matched(rule, text, ReasonType.RULE)
    for command in reading.commands:
        rule = rules.match(deny_texts(command)) if command.argv else None
        if rule is not None:
            return _matched(rule, command.text, _ask_kind(command, parts, refused, residue))
    if rules.bare is None:
        return None
    plain = residue is None or residue.why.startswith(APPROVAL)
    return _matched(rules.bare, text, ReasonType.RULE if plain else residue.reason_type)


def _ask_kind(
    command: SimpleCommand, parts: Sequence[Part], refused: str | None, residue: Objection | None
) -> ReasonType:
    if refused is not None:
        hidden = UNSEEN_BY_ASK.intersection(command.context) or command is not parts[0].command
        return ReasonType.OTHER if hidden else ReasonType.RULE
    joined = "pipeline" in command.context or NESTING.intersection(command.context)
    if joined or (residue is not None and residue.reason_type is ReasonType.SUBCOMMAND_RESULTS):
        return ReasonType.SUBCOMMAND_RESULTS
    return ReasonType.RULE


def _matched(rule: Rule, subject: str, kind: ReasonType | None) -> Objection:
    return Objection(f"{rule.behavior} rule {rule.text} matches `{subject}`", kind, rule)


def _outcomes(parts: Sequence[Part], accesses: Sequence[paths.Accesses], request: Request) -> Iterator[Outcome]:
    """What becomes of each part by itself."""
    allow = allow_rules(request.policy, request.mode)
    for part, access in zip(parts, accesses, strict=True):
        rule = allow.match_allow(allow_texts(part))
        danger = hazards.hazard(part.words) if access.objection is None else None
        if access.objection is not None:
            yield Outcome(part.text, Behavior.ASK, access.objection.why, access.objection.rule)
        elif danger is not None:
            yield Outcome(part.text, Behavior.ASK, danger)
        elif rule is not None:
            yield Outcome(part.text, Behavior.ALLOW, f"rule {rule.text}", rule)
        elif (why := _unneeded(part, request)) is not None:
            yield Outcome(part.text, Behavior.ALLOW, why)
        elif request.mode in paths.EDIT_MODES and editors.approves(part):
            yield Outcome(part.text, Behavior.ALLOW, f"mode {request.mode} approves this file command")
        else:
            yield Outcome(part.text, Behavior.ASK, f"{APPROVAL} ({read_only(part.words) or 'its prefix is not safe'})")


def _unneeded(part: Part, request: Request) -> str | None:
    """Why a part needs no permission: it only reads, or changes to a directory it may read."""
    if not part.safe or not SILENT_WRAPPERS.issuperset(part.wrappers):
        return None
    if part.program == "cd":
        return "a directory change within the working directories"
    return "read-only" if read_only(part.words) is None else None


SILENT_WRAPPERS = frozenset({"timeout", "command", "builtin", "noglob"})
"""Wrappers that leave a read-only command read-only; under the others it asks (measured)."""


def _residue(
    text: str,
    reading: Reading,
    parts: Sequence[Part],
    request: Request,
    refused: str | None,
    accesses: Sequence[paths.Accesses],
    outcomes: Sequence[Outcome],
) -> tuple[Objection | None, str, Rule | None]:
    """What stands against allowing the text as a whole, or else what grants it."""
    whole = allow_rules(request.policy, request.mode).match_exact(text.strip())
    if refused is not None:
        if whole is not None:
            return None, f"rule {whole.text} spells the command out", whole
        return Objection(refused, ReasonType.OTHER), "", None
    counted = [part for part in parts if not (guards.changes_directory(part) and guards.stays(part, request.workspace))]
    piped = any("pipeline" in part.command.context for part in parts)
    guarded = guards.guard(
        parts,
        request.workspace,
        writes=sum(access.writes for access in accesses),
        reads=_denies_reads(request.policy) and _reads(parts, accesses),
    )
    if guarded is not None:
        return Objection(guarded, ReasonType.OTHER), "", None
    if whole is not None and not any(access.objection for access in accesses):
        return None, f"rule {whole.text} spells the command out", whole
    asking = [
        (access.objection or Objection(outcome.why, paths.kind_of(part, request)), outcome)
        for part, access, outcome in zip(parts, accesses, outcomes, strict=True)
        if outcome.behavior is Behavior.ASK
    ]
    if not asking:
        if refusals.variables_set(reading, SAFE_VARIABLES):
            kind = ReasonType.SUBCOMMAND_RESULTS if len(counted) > 1 else ReasonType.OTHER
            return Objection("a variable set in this command can't be checked before it runs", kind), "", None
        rule = next((outcome.rule for outcome in outcomes if outcome.rule is not None), None)
        return None, "; ".join(dict.fromkeys(outcome.why for outcome in outcomes)) or "nothing runs", rule
    objection = asking[0][0]
    path_only = len(asking) == 1 and objection.reason_type is None and not piped
    if len(counted) > 1 and not path_only:
        why = "; ".join(f"`{outcome.subject}`: {outcome.why}" for _, outcome in asking)
        plain = all(outcome.why.startswith(APPROVAL) for _, outcome in asking)
        return Objection(f"{APPROVAL}: {why}" if plain else why, ReasonType.SUBCOMMAND_RESULTS), "", None
    return objection, "", None


def _reads(parts: Sequence[Part], accesses: Sequence[paths.Accesses]) -> bool:
    return any(access.reads for part, access in zip(parts, accesses, strict=True) if part.program != "cd")


def _denies_reads(policy: Policy) -> bool:
    return any(rule.tool == "Read" and rule.specifier is not None for rule in policy.rules_for(Behavior.DENY))


def _runs_in_background(reading: Reading) -> bool:
    return any("background" in command.context for command in reading.commands)
