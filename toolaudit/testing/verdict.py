from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from toolaudit.model import Decision, Mode, Rule, ToolCall
from toolaudit.testing.run import deciding_rules, meets


@dataclass(frozen=True, eq=False)
class Verdict:
    """A decision that compares with a word: equal to `"deny"` where the call is denied, or its tool is not offered.

    Where an assertion about it fails, pytest shows why it was decided so.
    """

    call: ToolCall
    decision: Decision
    mode: Mode

    @property
    def rule(self) -> str | None:
        """The text of the deciding rule."""
        rules = deciding_rules(self.decision)
        return rules[0].text if rules else None

    @property
    def stage(self) -> str:
        """The step or link that settled it."""
        return self.decision.stage

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The deciding rule; where an allowed call needed several, each of them."""
        return deciding_rules(self.decision)

    def __eq__(self, other: object) -> bool:
        return meets(self.decision.behavior, other) if isinstance(other, str) else NotImplemented

    def __hash__(self) -> int:
        return hash(str(self))

    def __str__(self) -> str:
        return str(self.decision.behavior)

    def __repr__(self) -> str:
        rule = f" by {self.rule}" if self.rule is not None else ""
        return f"<{self} at {self.stage}{rule}>"

    def __toolaudit_explain__(self, op: str, other: object) -> list[str]:
        return [f"{self!r} {op} {other!r}", *self._explanation()]

    def _explanation(self) -> Iterator[str]:
        yield f"call      {self.call.input.get('command') or self.call}"
        yield f"because   {self.decision.why}"
        for rule in self.rules:
            yield f"rule      {rule.text}  ({rule.behavior}, {rule.source})"
        yield f"mode      {self.mode}"
        for number, entry in enumerate(self.decision.trace):
            yield f"{'chain' if number == 0 else '':9} {entry.stage:8} {entry.behavior or '-':7} {entry.note}"
