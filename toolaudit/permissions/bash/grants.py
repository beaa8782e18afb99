"""What allows a command text: a rule for the whole of it, or something for each part."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from toolaudit.model import Behavior, Outcome, ReasonType, Rule
from toolaudit.model.versions import Difference, Version
from toolaudit.patterns import late
from toolaudit.permissions.bash import editors, hazards, paths, refusals, setters
from toolaudit.permissions.bash.analysis import Analysis
from toolaudit.permissions.bash.guards import Guard
from toolaudit.permissions.bash.matching import CommandRules, allow_rules
from toolaudit.permissions.bash.parts import Part
from toolaudit.permissions.bash.spellings import allow_texts
from toolaudit.permissions.bash.whole_texts import lists_of, spaced
from toolaudit.permissions.judgement import Objection
from toolaudit.shell.reading import SimpleCommand, Word
from toolaudit.shell.readonly import read_only
from toolaudit.structs import Struct, replace

SILENT_WRAPPERS = frozenset({"timeout", "command", "builtin", "noglob"})
"""Wrappers that leave a read-only command read-only, `timeout` without options only; under the others it asks."""


_STATE = late(r"\$[?$#!-]")
_CONTINUED_PIPE = late(r"\\\n[ \t]*\|(?!\|)|(?<!\|)\|&?[ \t]*\\\n")
"""A line continued at a pipe: the client then loses sight of the stages."""

EARLIER: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {"which": late(r"[^$`*?\[{]*"), "ps": late(r"ps|-[acdefjlmwyAFHLNTV]+|[^-$`*?\[{e][^$`*?\[{e]*")}
)
"""Programs an older client took for read-only with any words of this form (measured)."""

_DYNAMIC = frozenset({"variable", "glob"})


class Grant(Struct):
    """What stands against a text, or else what allows it, and each part's own outcome."""

    residue: Objection | None = None
    why: str = ""
    rule: Rule | None = None
    outcomes: tuple[Outcome, ...] = ()
    settled: bool = False
    """Nothing stands against it, or only that a whole statement in the background sets a variable: the safety check of
    `&` comes before that where rules allow every part (measured)."""


def grant(analysis: Analysis) -> Grant:
    """Put the parts together. A bare rule for the whole tool is not looked at: it is the chain's to apply last."""
    rules = allow_rules(analysis.request.policy, analysis.request.mode, analysis.request.version)
    whole = _whole(analysis, rules)
    if analysis.refused is not None:
        if whole is not None and not analysis.grouped:
            return Grant(why=f"rule {whole.text} spells the command out", rule=whole, settled=True)
        return Grant(Objection(analysis.refused, ReasonType.OTHER))
    judged = tuple(_parts(analysis))
    outcomes = tuple(outcome for outcome, _ in judged)
    started = next(filter(None, (hazards.execution(part.words) for part in analysis.parts if part.words)), None)
    if analysis.guarded is not None:
        return Grant(_guarded(analysis, analysis.guarded, judged), outcomes=outcomes)
    if whole is not None and not any(access.objection for access in analysis.accesses):
        return Grant(why=f"rule {whole.text} spells the command out", rule=whole, outcomes=outcomes, settled=True)
    if started is not None:
        return Grant(Objection(started, ReasonType.OTHER), outcomes=outcomes)
    objections = [objection for _, objection in judged if objection is not None]
    if objections:
        return Grant(_joined(analysis, outcomes, objections), outcomes=outcomes)
    if _sets_variable(analysis, outcomes):
        kind = ReasonType.SUBCOMMAND_RESULTS if analysis.counted > 1 else ReasonType.OTHER
        return Grant(
            Objection("a variable set in this command can't be checked before it runs", kind),
            outcomes=outcomes,
            settled=analysis.wholly_deferred and all(outcome.rule is not None for outcome in outcomes),
        )
    rule = next((outcome.rule for outcome in outcomes if outcome.rule is not None), None)
    why = "; ".join(dict.fromkeys(outcome.why for outcome in outcomes))
    return Grant(why=why or "nothing runs", rule=rule, outcomes=outcomes, settled=True)


def allows(analysis: Analysis) -> bool:
    """Whether each part of a text is allowed by itself."""
    return all(objection is None for _, objection in _parts(analysis))


def _guarded(analysis: Analysis, guard: Guard, judged: Sequence[tuple[Outcome, Objection | None]]) -> Objection:
    """What a directory change says: by itself where the guarded part alone asks, outside of pipelines (measured)."""
    asking = guard.parts.union(at for at, (_, objection) in enumerate(judged) if objection is not None)
    alone = len(asking) == 1 and (guard.redirects or not analysis.piped)
    kind = ReasonType.OTHER if alone or not guard.parts else ReasonType.SUBCOMMAND_RESULTS
    return Objection(guard.why, kind)


def _sets_variable(analysis: Analysis, outcomes: Sequence[Outcome]) -> bool:
    """Whether the text sets a variable for what follows, which speaks against parts that no rule allows, and all."""
    if setters.exports(analysis.reading) and any(outcome.rule is None for outcome in outcomes):
        return True
    if not setters.variables_set(analysis.reading):
        return False
    if analysis.request.version.has(Difference.VARIABLES_ASK) or setters.guarded_variable_set(analysis.reading):
        return True
    return not analysis.piped and any(outcome.rule is None for outcome in outcomes)


def _whole(analysis: Analysis, rules: CommandRules) -> Rule | None:
    """The rule that spells the text out, blanks around `&&` and `||` aside; no rule spells out a pipeline."""
    if analysis.piped:
        return None
    text = analysis.wholes[0]
    found = rules.match_exact(text)
    if found is None and len(analysis.parts) > 1 and len(text) <= refusals.MAX_LENGTH:
        found = rules.match_exact(spaced(text))
    return found


def _spelled_lists(analysis: Analysis, rules: CommandRules) -> dict[SimpleCommand, Rule]:
    """Command -> the rule that spells out the list it stands in, redirections aside."""
    lists = ((commands, rules.match_exact(text)) for commands, text in lists_of(analysis.reading))
    return {command: rule for commands, rule in lists if rule is not None for command in commands}


def _joined(analysis: Analysis, outcomes: Sequence[Outcome], objections: Sequence[Objection]) -> Objection:
    """One objection for the whole text: the only one, where it is about a path or the text has one part."""
    first = objections[0]
    path_only = len(objections) == 1 and first.reason_type is None and not analysis.piped
    if analysis.counted <= 1 or path_only:
        return first
    asking = [outcome for outcome in outcomes if outcome.behavior is Behavior.ASK]
    why = "; ".join(f"`{outcome.subject}`: {outcome.why}" for outcome in asking)
    plain = not analysis.piped and all(objection.plain for objection in objections)
    return Objection(why, ReasonType.SUBCOMMAND_RESULTS, plain=plain)


def _parts(analysis: Analysis) -> Iterator[tuple[Outcome, Objection | None]]:
    """What becomes of each part by itself."""
    request = analysis.request
    rules = allow_rules(request.policy, request.mode, request.version)
    lists = _spelled_lists(analysis, rules)
    for part, access in zip(analysis.parts, analysis.accesses, strict=True):
        listed = lists.get(part.command) if lists else None  # hashing a command costs more than most of what follows
        if listed is not None and (access.objection is None or access.merely_ungranted):
            yield Outcome(part.text, Behavior.ALLOW, f"rule {listed.text} spells the list out", listed), None
            continue
        rule = rules.match_allow(allow_texts(part))
        objection = access.objection
        if objection is None and (danger := _hazard(part, analysis)) is not None:
            objection = danger
        if objection is not None:
            yield Outcome(part.text, Behavior.ASK, objection.why), objection
        elif rule is not None:
            yield Outcome(part.text, Behavior.ALLOW, f"rule {rule.text}", rule), None
        elif (why := _unneeded(part, analysis)) is not None:
            yield Outcome(part.text, Behavior.ALLOW, why), None
        elif request.mode.edits_silently and editors.approves(part, request.version):
            yield Outcome(part.text, Behavior.ALLOW, f"mode {request.mode} approves this file command"), None
        else:
            why = f"no rule allows it, and it is not known to be read-only: {_needed(part)}"
            kind = paths.kind_of(part, request)
            yield Outcome(part.text, Behavior.ASK, why), Objection(why, kind, plain=kind is ReasonType.OTHER)


CONDITIONS = frozenset({"[", "[["})


ENCLOSING = frozenset({"command-substitution", "if", "while", "for"})
"""Constructs whose pipelines are not granted stage by stage (measured)."""


def _last(place: Sequence[str], name: str) -> int:
    return len(place) - 1 - place[::-1].index(name)


def _hazard(part: Part, analysis: Analysis) -> Objection | None:
    place = part.command.context
    if "pipeline" in place and ENCLOSING.intersection(place[: _last(place, "pipeline")]):
        return Objection("a pipeline inside another construct is not looked into", ReasonType.SUBCOMMAND_RESULTS)
    if "pipeline" in place and _CONTINUED_PIPE.search(analysis.text):
        return Objection("a pipeline continued at its pipe is not looked into", ReasonType.SUBCOMMAND_RESULTS)
    danger = hazards.hazard(part.words) if part.words else None
    return Objection(danger, ReasonType.OTHER) if danger is not None else None


def _unneeded(part: Part, analysis: Analysis) -> str | None:
    """Why a part needs no permission: it only reads, or changes to a directory it may read."""
    if not part.words:
        return None
    if part.program in CONDITIONS:
        known = not (part.wrappers or part.command.redirects) and not any(
            _DYNAMIC.intersection(word.features) for word in part.words
        )
        plain = [_known(word) if "command-substitution" in word.features else word for word in part.words]
        return "a condition" if known and read_only(plain) is None else None
    if not part.safe or not SILENT_WRAPPERS.issuperset(part.wrappers):
        return None
    version = analysis.request.version
    if "timeout" in part.wrappers and (_has_options(part) or not version.has(Difference.TIMEOUT_READS_ONLY)):
        return None
    if _changing(part, version) is not None or any(_STATE.search(word.text) for word in part.words):
        return None
    if not all(_unneeded(nested, analysis) for nested in analysis.nested_in(part)):
        return None
    return "a directory change within the working directories" if part.program == "cd" else "read-only"


def _known(word: Word) -> Word:
    """A word that stands for one whose value does not matter."""
    return replace(word, text="x", value="x", features=frozenset())


def _has_options(part: Part) -> bool:
    """Whether a wrapper before the command is given options."""
    before = part.command.argv[: len(part.command.argv) - len(part.words)]
    return any(word.text.startswith("-") for word in before)


def _changing(part: Part, version: Version) -> str | None:
    """Why a command is not read-only."""
    why = read_only(part.words)
    if why is None or version.has(Difference.LISTERS_ARE_CHECKED):
        return why
    earlier = EARLIER.get(part.program or "")
    return why if earlier is None or any(earlier.fullmatch(word.value or "*") is None for word in part.words) else None


def _needed(part: Part) -> str:
    if not part.words:
        return "it is a redirection alone"
    if not part.safe:
        return "a variable set before it could change what it does"
    loud = [name for name in part.wrappers if name not in SILENT_WRAPPERS or (name == "timeout" and _has_options(part))]
    if loud:
        return f"{loud[0]} is not looked through for that"
    return read_only(part.words) or "a nested command is not read-only"
