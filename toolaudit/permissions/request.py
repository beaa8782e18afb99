from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Literal

from toolaudit.model import Behavior, Mode, Policy, ToolCall
from toolaudit.model.versions import NEWEST, Difference, Version
from toolaudit.model.workspace import RealWorkspace, Workspace
from toolaudit.permissions.judgement import Judge, Judgement
from toolaudit.structs import Struct, replace

if TYPE_CHECKING:
    from toolaudit.model.verdict import Verdict
    from toolaudit.permissions.paths import PathJudge

ClassifierAnswer = Literal["unavailable", "allow", "block"]
"""What a classifier says of a call, stated without one."""

Ask = Callable[[ToolCall], "Verdict | None"]
"""Puts a call to a classifier; None: the call's tool shows it nothing, so that it is skipped."""


class HookVerdict(Struct):
    """What the PreToolUse hooks said together, as recorded or stated. The strictest word counts: deny, ask, allow."""

    behavior: Behavior | None = None
    why: str = ""
    rewrote: bool = False
    """They gave an input of their own, which is how a hook answers for a person."""


class Request(Struct, cached=True):
    """Everything the links of the chain may look at."""

    call: ToolCall
    policy: Policy
    mode: Mode
    workspace: Workspace
    hook: HookVerdict = HookVerdict()
    classifier: ClassifierAnswer | Verdict | None = "unavailable"
    """What the classifier says of the call; None: it was skipped."""
    version: Version = NEWEST
    blocked: int = 0
    """How many calls before this one the classifier blocked one after the other."""
    blocked_in_all: int = 0
    """How many calls of the session it blocked."""
    interactive: bool = False
    """A person is there to fall back to."""
    judge: Judge | None = None
    """The check of a tool that is not built in; None: the check of the tool by its name."""
    directory: str = ""
    """Where the shell stands and relative paths start; empty: in the session's working directory. Rules and working
    directories stay those of the session (measured)."""

    @property
    def classifies(self) -> bool:
        """Whether a classifier answers in this mode where a person would be asked."""
        return classifies(self.mode, self.policy)

    @property
    def here(self) -> Workspace:
        """The workspace as seen from where the shell stands: relative paths in a command start there."""
        if not self.directory:
            return self.workspace
        assert isinstance(self.workspace, RealWorkspace), "only the shell of a live session is anywhere else"
        return replace(self.workspace, cwd=self.directory)

    @property
    def paths(self) -> PathJudge:
        """The policy's path rules on this machine, compiled once for both."""
        everywhere = self.version.has(Difference.RULES_IN_EVERY_DIRECTORY)
        return _path_judge(self.policy, self.workspace, everywhere)  # type: ignore[arg-type]  # hashed by identity

    @cached_property
    def judgement(self) -> Judgement:
        """The tool's own check, made once and read by several links."""
        from toolaudit.permissions.checks import check

        return check(self) if self.judge is None else self.judge(self)


def classifies(mode: Mode, policy: Policy) -> bool:
    """Whether a classifier answers in `mode` where a person would be asked."""
    return mode is Mode.AUTO or (mode is Mode.PLAN and policy.auto_during_plan)


@lru_cache(maxsize=256)
def _path_judge(policy: Policy, workspace: Workspace, everywhere: bool) -> PathJudge:
    # Only calls that name a path need the rules for them.
    from toolaudit.permissions.paths import PathJudge

    return PathJudge(policy, workspace, everywhere=everywhere)
