"""Deny and ask rules on a command text: they look into every construct, at the whole text and at each command."""

from __future__ import annotations

from collections.abc import Sequence

from toolaudit.model import Behavior, Mode, ReasonType, Rule
from toolaudit.model.versions import Difference
from toolaudit.permissions import general
from toolaudit.permissions.bash import guards, hazards, paths, refusals, writing
from toolaudit.permissions.bash.analysis import Analysis
from toolaudit.permissions.bash.matching import command_rules
from toolaudit.permissions.bash.mended import read_damaged
from toolaudit.permissions.bash.parts import NESTING, parts_of
from toolaudit.permissions.bash.spellings import deny_texts, values_of
from toolaudit.permissions.bash.whole_texts import pipeline_texts, unredirected, without_output
from toolaudit.permissions.judgement import Objection
from toolaudit.rules.names import tool_rules
from toolaudit.shell import SimpleCommand
from toolaudit.structs import replace

HIDDEN_PLACES = NESTING | {"subshell", "here-document"}
"""Constructs in which an ask rule still prompts, but the client names the construct as its reason (measured)."""

UNSEEN_PLACES = (("coproc",), ("exec",))
"""Where no rule sees a command but by what stands before it."""

OPEN_PLACES = frozenset({"list", "pipeline", "background"})
"""Where an older client saw the commands of a text that it did not look into."""


def denied(analysis: Analysis, residue: Objection | None, *, contained: bool = False) -> Objection | None:
    """The deny rule that matches a parameter of the call, the text, a command in it, or a path it names.

    `residue` is what stands against the text anyway; without one, no rule with a star is compared with whole pipelines.
    For a text that is `contained`, paths are left to the sandbox.

    The client gives `rule` as reason where the whole text matched or it did not look at parts, and none at all where a
    hook had spoken (measured).
    """
    parameter = general.find_denied(analysis.request)
    if parameter is not None:
        return parameter
    found = _denied_command(analysis, residue)
    if contained:
        return found if found is None or found.reason_type is None else replace(found, reason_type=ReasonType.RULE)
    if found is None and analysis.refused is not None:
        if not analysis.request.version.has(Difference.DENY_LOOKS_INSIDE):
            return None
        if not analysis.accesses:
            return _denied_in_subshell(analysis) or _denied_in_damaged(analysis)
    return found or _denied_path(analysis)


def _denied_path(analysis: Analysis) -> Objection | None:
    for text in analysis.texts:
        for access, part in zip(text.accesses, text.parts, strict=False):  # where nothing was looked at, none
            if access.denied is not None:
                return replace(access.denied, subject=part.text)
    return None


def _denied_in_subshell(analysis: Analysis) -> Objection | None:
    """The deny rule for a path in a text that is refused for one subshell which changes no directory (measured)."""
    if not refusals.one_subshell(analysis.reading):
        return None
    inside = tuple([part for part in analysis.parts if "subshell" in part.command.context])
    within = replace(analysis, parts=inside, accesses=paths.examine(inside, analysis.request))
    opened = replace(analysis, accesses=paths.examine(analysis.parts, analysis.request))
    denied = _denied_path(opened) if within.guarded is None else None
    return replace(denied, reason_type=ReasonType.RULE) if denied is not None else None


def _denied_in_damaged(analysis: Analysis) -> Objection | None:
    """The deny rule for a path in a text that is no bash; the client looks on in what it makes of it (measured)."""
    damaged = read_damaged(analysis.reading)
    if damaged is None:
        return None
    accesses = paths.examine(parts_of(damaged), analysis.request)
    return next((access.denied for access in accesses if access.denied is not None), None)


def _denied_command(analysis: Analysis, residue: Objection | None) -> Objection | None:
    rules = command_rules(analysis.request.policy, Behavior.DENY)
    if not rules:
        return None
    hooked = analysis.request.hook.behavior is not None
    whole_kind = None if hooked else ReasonType.RULE
    part_kind = None if hooked else ReasonType.SUBCOMMAND_RESULTS
    exact = next(filter(None, map(rules.match_exact, analysis.wholes)), None)
    if exact is not None:
        return _matched(exact, analysis.text, whole_kind)
    values = values_of(analysis.reading, analysis.request.workspace)
    for command in _commands(analysis, asking=False):
        spellings = deny_texts(command, values, analysis.request.version) if command.argv else ()
        rule = rules.match(spellings)
        if rule is not None:
            alone = len(analysis.parts) == 1 and any(rules.match_exact(spelling) is rule for spelling in spellings)
            return _matched(rule, command.text, whole_kind if alone or not _looks_into(analysis) else part_kind)
    rule = rules.match(_wholes(analysis, residue))
    return _matched(rule, analysis.text, whole_kind) if rule is not None else None


def _looks_into(analysis: Analysis) -> bool:
    """Whether the client takes the text apart to tell why it is not allowed."""
    return analysis.refused is None and not any(hazards.hazard(part.words) for part in analysis.parts if part.words)


def _commands(analysis: Analysis, *, asking: bool) -> Sequence[SimpleCommand]:
    """The commands that rules are compared with; an older client did not look on behind an objection of its own."""
    request, commands = analysis.request, analysis.reading.commands
    if request.version.has(Difference.DENY_LOOKS_INSIDE):
        return [command for command in commands if command.context[-1:] not in UNSEEN_PLACES]
    if analysis.refused is not None:
        seen = () if analysis.grouped else commands[:1] if asking else commands
        return [command for command in seen if OPEN_PLACES.issuperset(command.context)]
    hidden = guards.moves_twice(analysis.parts, request.here) or (
        asking and guards.moves_repository(analysis.parts, request.here)
    )
    return () if hidden else commands


def _wholes(analysis: Analysis, residue: Objection | None) -> tuple[str, ...]:
    """The spellings of the whole text that a rule with a star is compared with.

    A settled text has none; mode auto settles a write only after the rules (measured).
    """
    version = analysis.request.version
    if analysis.refused is not None:
        if analysis.grouped and not version.has(Difference.DENY_LOOKS_INSIDE):
            return ()
        bare = without_output(analysis.reading)
        return analysis.wholes if bare is None else (bare,)
    writes = analysis.request.mode is Mode.AUTO and any(map(guards.redirects_output, analysis.parts))
    settled = residue is None and not analysis.deferred and not writes
    if settled or not version.has(Difference.DENY_SEES_PIPELINES):
        return ()
    nested = any("command-substitution" in part.command.context for part in analysis.parts if part.words)
    joined = analysis.joined and (not nested or not analysis.reading.commands[0].argv)
    seen = pipeline_texts(analysis.reading) or (analysis.wholes[:1] if joined else ())
    return seen or (unredirected(analysis.reading) if _hindered(analysis) else ())


def _hindered(analysis: Analysis) -> bool:
    """Whether the client objects to a path or a directory change: then it goes by the whole text (measured)."""
    request, parts = analysis.request, analysis.parts
    if len(parts) < 2 or not request.version.has(Difference.DENY_SEES_HINDERED):
        return False
    written = any(part.words and paths.kind_of(part, request) is None for part in parts)
    return written or any(access.objection is not None for access in analysis.accesses) or analysis.guarded is not None


def asked(
    analysis: Analysis,
    residue: Objection | None,
    own: Objection | None,
    *,
    trusted: bool = False,
    contained: bool = False,
) -> Objection | None:
    """The ask rule that matches the text or a command in it.

    `residue` is what stands against the parts of the text. Where the client has an objection of its `own`, it names
    that as its reason for a rule about the whole call. A bare rule is not for what is `trusted` to the sandbox; in a
    text that is `contained`, though the client does not look into it, no rule sees nested commands.
    """
    rules = command_rules(analysis.request.policy, Behavior.ASK)
    if not rules and rules.bare is None:
        return None
    settled = len(analysis.parts) > 1 and residue is None and not contained
    exact = None if settled else next(filter(None, map(rules.match_exact, analysis.wholes)), None)
    rule = exact or rules.match(_wholes(analysis, residue))
    if rule is not None:
        return _matched(rule, analysis.text, ReasonType.RULE if contained else _whole_text_kind(analysis, residue))
    parameter = _asked_parameter(analysis, own)
    if parameter is not None:
        return parameter
    values = values_of(analysis.reading, analysis.request.workspace)
    for command in _commands(analysis, asking=True):
        nested = not NESTING.isdisjoint(command.context)
        if not command.argv or (nested and contained and analysis.refused is not None):
            continue
        rule = rules.match(deny_texts(_up_to_redirect(command), values, analysis.request.version))
        if rule is not None:
            return _matched(rule, command.text, ReasonType.RULE if contained else _ask_kind(command, analysis, residue))
    if rules.bare is None or trusted:
        return None
    return _matched(rules.bare, analysis.text, _whole_kind(own))


def _up_to_redirect(command: SimpleCommand) -> SimpleCommand:
    """What an ask rule sees of a command: the words behind a redirection inside it are lost (measured)."""
    if not command.redirects or not writing.swallows(command):
        return command
    start = next((one.span[0] for one in command.redirects if one.span[0] > command.argv[0].span[0]), None)
    return command if start is None else replace(command, argv=tuple(w for w in command.argv if w.span[0] < start))


def _whole_text_kind(analysis: Analysis, residue: Objection | None) -> ReasonType | None:
    if analysis.refused is not None:
        return ReasonType.RULE
    if analysis.piped:
        return ReasonType.SUBCOMMAND_RESULTS
    return residue.reason_type if residue is not None and _hindered(analysis) else ReasonType.RULE


def _whole_kind(own: Objection | None) -> ReasonType | None:
    return ReasonType.RULE if own is None or own.plain else own.reason_type


def _asked_parameter(analysis: Analysis, own: Objection | None) -> Objection | None:
    request = analysis.request
    rule = tool_rules(request.policy, Behavior.ASK, "Bash").find_parameter(request.call.input)
    return None if rule is None else Objection(f"ask rule {rule.text} covers the call", _whole_kind(own), rule)


def _ask_kind(command: SimpleCommand, analysis: Analysis, residue: Objection | None) -> ReasonType:
    if analysis.refused is not None:
        enclosed = refusals.CONTEXTS.keys() & command.context
        hidden = (
            HIDDEN_PLACES.intersection(command.context)
            or command is not analysis.parts[0].command
            or (enclosed and any(enclosed.isdisjoint(part.command.context) for part in analysis.parts))
        )
        return ReasonType.OTHER if hidden else ReasonType.RULE
    joined = "pipeline" in command.context or NESTING.intersection(command.context)
    if (joined and analysis.counted > 1) or (
        residue is not None and residue.reason_type is ReasonType.SUBCOMMAND_RESULTS
    ):
        return ReasonType.SUBCOMMAND_RESULTS
    return ReasonType.RULE


def _matched(rule: Rule, subject: str, kind: ReasonType | None) -> Objection:
    return Objection(f"{rule.behavior} rule {rule.text} matches `{subject}`", kind, rule, subject=subject)
