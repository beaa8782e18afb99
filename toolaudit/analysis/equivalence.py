"""Proofs that a change of a rule changes no decision, by containment of rules.

A rule of a list decides nothing where rules that count as much or more cover all it covers: then it can be dropped, and
so on for the other changes. A rule for a command text without a star has a further power, to spell the whole command
out; such a rule has one text, which the resolver is asked about in every mode besides.
"""

from __future__ import annotations

from typing import Final

from toolaudit.analysis.automaton import UndecidedError
from toolaudit.analysis.containment import contained
from toolaudit.analysis.languages import Directories, pattern_of
from toolaudit.analysis.mutants import START_MODES, Mutant, Operator
from toolaudit.model import Behavior, Policy, Rule, Scope, Source, ToolCall
from toolaudit.model.workspace import Workspace
from toolaudit.permissions.bash.suspended import suspended
from toolaudit.pipeline import decide
from toolaudit.shell import read
from toolaudit.tools.preapproved import HOSTS

_STRENGTH: Final = {Behavior.ALLOW: 0, Behavior.ASK: 1, Behavior.DENY: 2}


def proof(mutant: Mutant, policy: Policy, workspace: Workspace) -> str | None:
    """Why no decision differs under `mutant`, in one clause; None: not proved.

    `policy` is the one for the place of `workspace`.
    """
    rule = next((one for one in policy.rules if mutant.concerns(one)), None)
    if rule is None:
        return None
    changed = mutant.replaced(rule, workspace)
    if mutant.operator is Operator.SCOPE and changed is not None and _same_place(rule, changed):
        return "the rule means the same in both places"
    behaviors = {rule.behavior} | ({changed.behavior} if changed is not None else set())
    strength = max(_STRENGTH[one] for one in behaviors)
    others = [one for one in policy.rules if one is not rule and not mutant.concerns(one)]
    twins = sum(mutant.concerns(one) for one in policy.rules)
    if twins > 1:
        return None
    stronger = [one for one in others if _STRENGTH[one.behavior] >= strength]
    if Behavior.ALLOW in behaviors:
        stronger = [one for one in stronger if _stands_in(one)]
    places = directories(policy, workspace)
    try:
        why = _covered(rule, changed, stronger, places)
        if why is None and behaviors == {Behavior.ALLOW}:
            needless = [_needless(one, policy, places) for one in (rule, changed) if one is not None]
            why = needless[0] if all(needless) else None
    except UndecidedError:
        return None
    exact = [one for one in (rule, changed) if one is not None and _spells_out(one)]
    if not exact:
        return why
    alike = all(_alike(one, policy, mutant.apply(policy, workspace), workspace) for one in exact)
    if not alike:
        return None
    if why is None and changed is None and not _single(rule):
        return "the one command it could spell out is decided alike without it"
    return why if all(map(_single, exact)) else None


def directories(policy: Policy, workspace: Workspace) -> Directories:
    """The directories that the path rules of `policy` are read from."""
    return Directories(workspace.cwd, workspace.home, tuple(one.path for one in policy.directories))


def _stands_in(rule: Rule) -> bool:
    """Whether `rule` does for all it covers, in every mode, what an allow rule for a part of that is there for.

    Allow rules for shells are set aside by modes with a classifier where they are broad. And of what a shell command
    reads or writes, allow and deny rules for paths are asked, and ask rules are not.
    """
    if rule.behavior is Behavior.ASK:
        return rule.tool not in ("Read", "Edit")
    if rule.behavior is Behavior.DENY:
        return True
    if rule.specifier is None or rule.tool == "PowerShell":
        return rule.tool.startswith("mcp__")
    return rule.tool != "Bash" or not suspended(rule.specifier)


def _same_place(rule: Rule, changed: Rule) -> bool:
    """Whether the same text means the same: its paths do not start at the settings' own directory, or at the same."""
    specifier = rule.specifier or ""
    rooted = specifier.startswith("/") and not specifier.startswith("//")
    return rule.root == changed.root or not rooted or rule.tool not in ("Read", "Edit")


def _covered(rule: Rule, changed: Rule | None, stronger: list[Rule], directories: Directories) -> str | None:
    """Whether rules that count at least as much cover all that one of the two forms covers and the other does not."""
    if changed is not None and changed.behavior is rule.behavior:
        # Both forms say the same, so that only what one of them covers alone can be decided otherwise.
        gone = contained(rule, (changed, *stronger), directories)
        come = contained(changed, (rule, *stronger), directories)
        return _named(stronger, changed, rule, directories) if gone and come else None
    # What a rule covers may depend on its list, so both forms are looked at.
    if not all(contained(one, stronger, directories) for one in (rule, changed) if one is not None):
        return None
    return _named(stronger, rule, None, directories)


def _named(stronger: list[Rule], rule: Rule, other: Rule | None, directories: Directories) -> str:
    """The proof in words, with the one rule that covers it all where one does."""
    kept = () if other is None else (other,)
    for one in stronger:
        if contained(rule, (one, *kept), directories):
            return f"{one} covers what it is about ({one.source})"
    return "other rules together cover what it is about"


def _needless(rule: Rule, policy: Policy, directories: Directories) -> str | None:
    """Whether an allow rule grants only what needs no permission: reading in the working directory, a known host."""
    if rule.tool == "WebFetch" and (rule.specifier or "").removeprefix("domain:") in HOSTS:
        return "the client fetches from this host without a rule"
    if rule.tool != "Read" or policy.block_reads_outside:
        return None
    inside = Rule(Behavior.ALLOW, "", "Read", f"/{directories.cwd}/**", Source(Scope.CLI), directories.cwd)
    return "reading there needs no permission" if contained(rule, (inside,), directories) else None


def _spells_out(rule: Rule) -> bool:
    pattern = pattern_of(rule)
    return pattern is not None and pattern.exact


def _single(rule: Rule) -> bool:
    """Whether the text of `rule` is one command to the reader; any other can only be the whole of a command text."""
    pattern = pattern_of(rule)
    reading = read(pattern.parts[0] if pattern is not None else "")
    return reading.complexity is None and len(reading.commands) == 1


def _alike(rule: Rule, policy: Policy, changed: Policy, workspace: Workspace) -> bool:
    """Whether the one command of `rule` is decided alike by both policies in every mode."""
    pattern = pattern_of(rule)
    assert pattern is not None
    call = ToolCall(rule.tool, {"command": pattern.parts[0]})
    return all(
        decide(call, policy, mode, workspace).behavior is decide(call, changed, mode, workspace).behavior
        for mode in START_MODES
    )
