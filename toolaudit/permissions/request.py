from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Literal

from toolaudit.model import Behavior, Mode, Policy, ToolCall
from toolaudit.model.workspace import Workspace
from toolaudit.permissions.judgement import Judgement
from toolaudit.permissions.paths import PathJudge

ClassifierAnswer = Literal["unavailable", "allow", "block"]


@dataclass(frozen=True, slots=True)
class HookVerdict:
    """What the PreToolUse hooks said together, as recorded or stated. The strictest word counts: deny, ask, allow."""

    behavior: Behavior | None = None
    why: str = ""


@dataclass(frozen=True)
class Request:
    """Everything the links of the chain may look at."""

    call: ToolCall
    policy: Policy
    mode: Mode
    workspace: Workspace
    hook: HookVerdict = field(default_factory=HookVerdict)
    classifier: ClassifierAnswer = "unavailable"

    @property
    def paths(self) -> PathJudge:
        return path_judge(self.policy, self.workspace)

    @cached_property
    def judgement(self) -> Judgement:
        """The tool's own check, made once and read by several links."""
        from toolaudit.permissions.checks import check

        return check(self)


@lru_cache(maxsize=256)
def path_judge(policy: Policy, workspace: Workspace) -> PathJudge:
    """The compiled path rules of a policy on a machine; both are compared by identity."""
    return PathJudge(policy, workspace)
