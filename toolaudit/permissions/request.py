from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Literal

from msgspec import Struct

from toolaudit.model import Behavior, Mode, Policy, ToolCall
from toolaudit.model.versions import NEWEST, Version
from toolaudit.model.workspace import Workspace
from toolaudit.permissions.judgement import Judge, Judgement
from toolaudit.permissions.paths import PathJudge

ClassifierAnswer = Literal["unavailable", "allow", "block"]


class HookVerdict(Struct, frozen=True):
    """What the PreToolUse hooks said together, as recorded or stated. The strictest word counts: deny, ask, allow."""

    behavior: Behavior | None = None
    why: str = ""


class Request(Struct, frozen=True, dict=True):
    """Everything the links of the chain may look at."""

    call: ToolCall
    policy: Policy
    mode: Mode
    workspace: Workspace
    hook: HookVerdict = HookVerdict()
    classifier: ClassifierAnswer = "unavailable"
    version: Version = NEWEST
    blocked: int = 0
    """How many calls before this one the classifier blocked one after the other."""
    judge: Judge | None = None
    """The check of a tool that is not built in; None: the check of the tool by its name."""

    @property
    def classifies(self) -> bool:
        """Whether a classifier answers in this mode where a person would be asked."""
        return classifies(self.mode, self.policy)

    @property
    def paths(self) -> PathJudge:
        """The policy's path rules on this machine, compiled once for both."""
        return _path_judge(self.policy, self.workspace)  # type: ignore[arg-type]  # compared by identity, so hashable

    @cached_property
    def judgement(self) -> Judgement:
        """The tool's own check, made once and read by several links."""
        from toolaudit.permissions.checks import check

        return check(self) if self.judge is None else self.judge(self)


def classifies(mode: Mode, policy: Policy) -> bool:
    """Whether a classifier answers in `mode` where a person would be asked."""
    return mode is Mode.AUTO or (mode is Mode.PLAN and policy.auto_during_plan)


@lru_cache(maxsize=256)
def _path_judge(policy: Policy, workspace: Workspace) -> PathJudge:
    return PathJudge(policy, workspace)
