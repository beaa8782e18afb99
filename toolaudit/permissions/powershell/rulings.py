"""Deny and ask rules on a command text: at every statement that was found, understood or not, and at the whole text."""

from __future__ import annotations

from toolaudit.model import Behavior, ReasonType, Rule
from toolaudit.permissions import general
from toolaudit.permissions.judgement import Objection
from toolaudit.permissions.powershell import removals
from toolaudit.permissions.powershell.aliases import canonical_text
from toolaudit.permissions.powershell.analysis import Analysis
from toolaudit.permissions.powershell.matching import command_rules, suspect_spellings
from toolaudit.permissions.powershell.nested import Suspect
from toolaudit.rules.names import tool_rules


def denied(analysis: Analysis) -> Objection | None:
    """What refuses the call in every mode: a rule on a parameter, the text, a statement or a path; or a removal.

    The types of reasons are those of the Bash check.
    """
    found = general.find_denied(analysis.request) or _denied_command(analysis)
    if found is not None:
        return found
    path = next((part.accesses.denied for part in analysis.parts if part.accesses.denied is not None), None)
    return path or removals.find(analysis.suspects, analysis.directories, analysis.request.workspace)


def _denied_command(analysis: Analysis) -> Objection | None:
    rules = command_rules(analysis.request.policy, Behavior.DENY)
    if not rules:
        return None
    hooked = analysis.request.hook.behavior is not None
    for suspect in analysis.suspects:
        spellings = suspect_spellings(suspect.statement)
        rule = rules.match(spellings)
        if rule is not None:
            alone = len(analysis.parts) == 1 and any(rules.match_exact(spelling) is rule for spelling in spellings)
            whole = alone or analysis.refused is not None
            kind = ReasonType.RULE if whole else ReasonType.SUBCOMMAND_RESULTS
            return _matched(rule, suspect.statement.text, None if hooked else kind)
    rule = rules.match(_wholes(analysis))
    return None if rule is None else _matched(rule, analysis.text, None if hooked else ReasonType.RULE)


def asked(analysis: Analysis, residue: Objection | None) -> Objection | None:
    """The ask rule that matches a parameter of the call, a statement or the text.

    Where the check has an objection of its own, `residue`, a bare ask rule takes over its type.
    """
    request = analysis.request
    rules = command_rules(request.policy, Behavior.ASK)
    parameter = tool_rules(request.policy, Behavior.ASK, "PowerShell").find_parameter(request.call.input)
    if parameter is not None:
        return Objection(f"ask rule {parameter.text} covers the call", ReasonType.RULE, parameter)
    if rules:
        for suspect in analysis.suspects:
            rule = rules.match(suspect_spellings(suspect.statement))
            if rule is not None:
                return _matched(rule, suspect.statement.text, _ask_kind(suspect, analysis, residue))
        rule = rules.match(_wholes(analysis))
        if rule is not None:
            return _matched(rule, analysis.text, ReasonType.RULE)
    if rules.bare is None:
        return None
    kind = ReasonType.RULE if residue is None or residue.plain else residue.reason_type
    return _matched(rules.bare, analysis.text, kind)


def _wholes(analysis: Analysis) -> tuple[str, str]:
    return analysis.text.lower().strip(), canonical_text(analysis.text.strip())


def _ask_kind(suspect: Suspect, analysis: Analysis, residue: Objection | None) -> ReasonType:
    if analysis.refused is not None:
        first = suspect.statement is analysis.reading.statements[0]
        return ReasonType.RULE if first else ReasonType.OTHER
    joined = residue is not None and residue.reason_type is ReasonType.SUBCOMMAND_RESULTS
    return ReasonType.SUBCOMMAND_RESULTS if analysis.piped or joined else ReasonType.RULE


def _matched(rule: Rule, subject: str, kind: ReasonType | None) -> Objection:
    return Objection(f"{rule.behavior} rule {rule.text} matches `{subject}`", kind, rule, subject=subject)
