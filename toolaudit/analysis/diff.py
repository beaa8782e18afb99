"""What changes between two policies: classes of calls with another decision, each with calls that show it.

The rules propose and the resolver disposes. A call whose decision changes is covered by a rule that only one policy
has: one that went, where the new decision is weaker, or one that came, where it is stronger. Each such rule, crossed
with the rules of the other side that might decide instead, gives exact questions of containment; the witness is then
decided by both policies, in full. A witness that both decide alike is no change (what needs no permission, a mode, a
hook came first); one that a resolver decides by a stronger rule than the one proposed is a fault of ours, and told as
one. Of each changed rule and each class one witness is kept.

What no rule says (modes, directories, hooks, the sandbox) is compared by itself, and by deciding a few plain calls.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice

from toolaudit.analysis import circumstances
from toolaudit.analysis.automaton import UndecidedError
from toolaudit.analysis.circumstances import Circumstance, Direction
from toolaudit.analysis.containment import Others, witnesses
from toolaudit.analysis.languages import Directories
from toolaudit.model import Behavior, Decision, Mode, Policy, Rule, ToolCall
from toolaudit.model.workspace import Workspace
from toolaudit.permissions.bash.suspended import suspended
from toolaudit.pipeline import decide
from toolaudit.rules import grammar

STRENGTH = {None: 0, Behavior.ALLOW: 1, Behavior.ASK: 2, Behavior.DENY: 3}
"""Which rule decides where several cover a call; None: no rule does."""

_OPEN = {Behavior.ALLOW: 0, Behavior.ASK: 1, Behavior.DENY: 2, Behavior.REMOVED: 2, Behavior.INVALID: 2}
"""How much stands between a call and its running."""


class Verdict(StrEnum):
    """The difference in one word."""

    EQUIVALENT = "equivalent"
    STRICTER = "stricter"
    LOOSER = "looser"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class Side:
    """One of the policies, with the mode its sessions start in and the machine it is asked on."""

    policy: Policy
    mode: Mode
    workspace: Workspace

    def decide(self, call: ToolCall) -> Decision:
        return decide(call, self.policy, self.mode, self.workspace)

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules that count in this mode."""
        classified = self.mode is Mode.AUTO or (self.mode is Mode.PLAN and self.policy.auto_during_plan)
        if not classified:
            return self.policy.rules
        return tuple(rule for rule in self.policy.rules if not _set_aside(rule))


def _set_aside(rule: Rule) -> bool:
    return (
        rule.behavior is Behavior.ALLOW
        and rule.tool == "Bash"
        and (rule.specifier is None or suspended(rule.specifier))
    )


@dataclass(frozen=True, slots=True)
class Change:
    """A call that the policies decide differently, replayed through both."""

    subject: str
    """The call, in words."""
    call: ToolCall
    old: Decision
    new: Decision
    recorded: int = 0
    """How many recorded calls are of this kind; 0: it was made up to show the difference."""

    @property
    def looser(self) -> bool:
        return _OPEN[self.new.behavior] < _OPEN[self.old.behavior]

    @property
    def kind(self) -> tuple[Behavior, Behavior]:
        """The class it belongs to."""
        return _plain(self.old.behavior), _plain(self.new.behavior)


def _plain(behavior: Behavior) -> Behavior:
    return Behavior.DENY if _OPEN[behavior] == 2 else behavior


@dataclass(frozen=True, slots=True)
class Fault:
    """A proposal that the resolver does not bear out: an error of this tool, never shown as a fact."""

    subject: str
    expected: str
    old: Decision
    new: Decision


@dataclass(slots=True)
class Comparison:
    """All that was found."""

    changes: list[Change] = field(default_factory=list)
    """In the order of their classes, what loosens first."""
    circumstances: list[Circumstance] = field(default_factory=list)
    """Differences that are no rules."""
    alike: int = 0
    """Witnesses of rules that differ, which both policies decide alike all the same."""
    faults: list[Fault] = field(default_factory=list)
    undecided: list[str] = field(default_factory=list)
    """Questions without an exact answer."""

    def sort(self) -> None:
        """Put the changes in order: by class, then recorded ones first, then short ones."""
        self.changes.sort(key=lambda change: (not change.looser, *_rank(change)))

    @property
    def verdict(self) -> Verdict:
        looser = any(change.looser for change in self.changes)
        stricter = any(not change.looser for change in self.changes)
        for one in self.circumstances:
            looser |= one.direction in (Direction.LOOSER, Direction.EITHER)
            stricter |= one.direction in (Direction.STRICTER, Direction.EITHER)
        if looser:
            return Verdict.BOTH if stricter else Verdict.LOOSER
        return Verdict.STRICTER if stricter else Verdict.EQUIVALENT

    @property
    def new_access(self) -> bool:
        """Whether anything is let through that was stopped or asked about before, or may be."""
        return self.verdict in (Verdict.LOOSER, Verdict.BOTH)


def compare(old: Side, new: Side) -> Comparison:
    """The differences between two policies; exact for rules, but for what `undecided` names."""
    found = Comparison()
    seen: dict[str, Change] = {}
    for change in _search(old, new, found):
        seen.setdefault(change.subject, change)
    for call in circumstances.calls(old.policy, new.policy):
        subject = describe(call)
        change = Change(subject, call, old.decide(call), new.decide(call))
        if _plain(change.old.behavior) is not _plain(change.new.behavior):
            seen.setdefault(subject, change)
    found.circumstances = list(circumstances.compare(old.policy, new.policy, old.mode, new.mode))
    found.changes = list(seen.values())
    found.sort()
    return found


def _rank(change: Change) -> tuple[int, int, int, int]:
    return -_OPEN[change.old.behavior], _OPEN[change.new.behavior], -change.recorded, len(change.subject)


def describe(call: ToolCall) -> str:
    """A call in words: the command itself, or the tool and what matters of its input."""
    command = call.input.get("command")
    if call.tool == "Bash" and isinstance(command, str) and set(call.input) == {"command"}:
        return command
    given = ", ".join(f"{name}: {value}" for name, value in call.input.items())
    return f"{call.tool}({given})" if given else call.tool


def _key(rule: Rule) -> tuple[object, ...]:
    return (
        rule.behavior,
        rule.tool,
        rule.specifier,
        rule.root,
        rule.source.scope if rule.tool in ("Read", "Edit") else None,
    )


def _directories(old: Side, new: Side) -> Directories:
    further = [directory.path for side in (old, new) for directory in side.policy.directories]
    return Directories(new.workspace.cwd, new.workspace.home, tuple(dict.fromkeys(further)))


def _search(old: Side, new: Side, found: Comparison) -> Iterator[Change]:
    """A change for each changed rule and each class of decisions, where there is one."""
    before, after, directories = old.rules, new.rules, _directories(old, new)
    keys = {_key(rule) for rule in before}, {_key(rule) for rule in after}
    gone = [rule for rule in before if _key(rule) not in keys[1]]
    come = [rule for rule in after if _key(rule) not in keys[0]]
    for was in STRENGTH:
        for now in STRENGTH:
            weaker = STRENGTH[now] < STRENGTH[was]
            changed = [rule for rule in (gone if weaker else come) if rule.behavior is (was if weaker else now)]
            if was is now or not changed:
                continue
            other = now if weaker else was
            others = [rule for rule in (after if weaker else before) if rule.behavior is other] if other else [None]
            stronger = [
                *(rule for rule in before if STRENGTH[rule.behavior] > STRENGTH[was]),
                *(rule for rule in after if STRENGTH[rule.behavior] > STRENGTH[now]),
            ]
            outside = Others(stronger, directories)
            for rule in changed:
                pairs = ((rule, one) if weaker else (one, rule) for one in others)
                yield from islice(_confirmed(pairs, outside, directories, old, new, found), 1)


def _confirmed(
    pairs: Iterable[tuple[Rule | None, Rule | None]],
    outside: Others,
    directories: Directories,
    old: Side,
    new: Side,
    found: Comparison,
) -> Iterator[Change]:
    """The witnesses of pairs of deciding rules, old and new, that both policies in full bear out."""
    for pair in pairs:
        inside = [rule for rule in pair if rule is not None]
        if len(inside) == 2 and not _meet(*inside):
            continue
        try:
            for witness in witnesses(inside, outside, directories):
                call = witness.call
                change = Change(describe(call), call, old.decide(call), new.decide(call))
                if _plain(change.old.behavior) is not _plain(change.new.behavior):
                    yield change
                elif _borne_out(call, change.old, pair[0]) and _borne_out(call, change.new, pair[1]):
                    found.alike += 1
                else:
                    expected = f"{pair[0] or 'no rule'} then, {pair[1] or 'no rule'} now"
                    found.faults.append(Fault(change.subject, expected, change.old, change.new))
        except UndecidedError as error:
            found.undecided.append(f"{' and '.join(map(str, inside))}: {error}")


def _meet(one: Rule, other: Rule) -> bool:
    """Whether two rules can cover the same call at all, by the tools they name."""
    if "*" in one.tool or "*" in other.tool or one.tool.startswith("mcp__") or other.tool.startswith("mcp__"):
        return True
    return one.tool == other.tool


def _borne_out(call: ToolCall, decision: Decision, rule: Rule | None) -> bool:
    """Whether a decision is what one would expect where `rule` is the strongest that covers the call.

    A weaker rule may be needless (what needs no permission runs without it) and may be overruled by what is no rule (a
    mode, a protected path, a rule for another tool such as one that makes a file unreadable); a stronger one for the
    same tool must not have decided.
    """
    by = {decision.rule, *(outcome.rule for outcome in decision.subcommands)} - {None}
    own = (one for one in by if one is not None and grammar.governs(one, call.tool))
    strongest = max((STRENGTH[one.behavior] for one in own), default=0)
    return strongest <= STRENGTH[rule.behavior if rule is not None else None]
