"""Agent: a sub-agent with a context of its own, which runs its own loop and comes back with a report.

What the sub-agent does is up to who runs the session (`Options.agents`): there is no model here. Its transcript comes
back as messages beside the result; a prompt of its own reaches a person through the parent. Sources: seeds; documents,
9.7 and 13.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any, ClassVar, Final, Literal

from pydantic import Field

from toolaudit.structs import Struct, replace
from toolaudit.tools import worktrees
from toolaudit.tools.context import AgentEnd, OverlaidAppState, ToolUseContext, create_subagent_context
from toolaudit.tools.effects.agent_runs import AgentRun
from toolaudit.tools.inputs import Flag, Input, Maybe, classifier_text
from toolaudit.tools.interface import Block, ToolError, ToolResult, build_tool
from toolaudit.tools.validation import misfit_agent
from toolaudit.tools.worktrees import Worktree

REPORT_CHARS_MAX: Final = 32_000
"""Of a sub-agent's report, what the parent reads (documents, 13)."""

LENGTH_VARIABLE: Final = "TASK_MAX_OUTPUT_LENGTH"
LENGTH_MAX: Final = 160_000


class AgentInput(Input):
    tool: ClassVar[str] = "Agent"

    description: str = Field(description="The task in three to five words")
    prompt: str = Field(description="The task in full: the sub-agent sees nothing else")
    subagent_type: Maybe[str] = Field(None, description="What kind of sub-agent does it")
    model: Maybe[Literal["fable", "haiku", "opus", "sonnet"]] = Field(None, description="The model it runs on")
    effort: Maybe[Literal["high", "low", "max", "medium", "xhigh"]] = Field(None, description="How hard it thinks")
    run_in_background: Maybe[Flag] = Field(None, description="Go on without waiting for it")
    isolation: Maybe[Literal["remote", "worktree"]] = Field(None, description="Where it works")
    name: Maybe[str] = Field(None, description="What it is called")


class AgentOutput(Struct):
    """A sub-agent that came back, or one that was sent off."""

    id: str
    report: str
    background: bool = False


def call(given: AgentInput, context: ToolUseContext, report: Callable[[Any], None]) -> ToolResult[AgentOutput]:
    agents = context.options.agents
    if agents is None:
        raise ToolError("Agent is not available here: nothing runs sub-agents.", "unavailable")
    if given.isolation == "remote":
        raise ToolError("Agent is not available here: it would need the client's server.", "unavailable")
    id = f"a{secrets.token_hex(8)}"
    own = create_subagent_context(context, id, asynchronous=bool(given.run_in_background))
    tree = worktrees.make(f"agent-{id}", worktrees.root(context), context) if given.isolation == "worktree" else None
    if tree is not None:
        own = replace(worktrees.move(own, tree.path), app=OverlaidAppState(own.app, {worktrees.KEY: tree}))
    raw = given.model_dump(exclude_unset=True)

    def work() -> AgentEnd:
        end = agents.run(raw, own)
        for message in end.messages:
            report({"agent": id, "message": message})
        return end if tree is None else replace(end, report=end.report + _left(tree, own))

    if given.run_in_background:
        run = AgentRun(id, given.description, lambda: _cut(work().report, context), own.abort.abort)
        context.tasks.adopt(run)
        run.thread.start()
        agents.sent(run.thread)
        told = f"Async agent launched successfully.\nagentId: {id}"
        return ToolResult(AgentOutput(id, told, background=True))
    end = work()
    text = _cut(end.report, context)
    return ToolResult(AgentOutput(id, text), end.messages, _taking_over(end))


def _left(tree: Worktree, own: ToolUseContext) -> str:
    """What becomes of the agent's worktree: one that holds no work is removed, any other is told of."""
    try:
        unsaved = worktrees.unsaved(tree, own)
        if not unsaved:
            worktrees.remove(tree, own)
            return ""
    except ToolError as error:
        unsaved = f"work, or not: {error}"
    return f"\nworktreePath: {tree.path}\nworktreeBranch: {tree.branch} (it holds {unsaved})"


def _taking_over(end: AgentEnd) -> Callable[[ToolUseContext], ToolUseContext] | None:
    """The change of state that the sub-agent leaves to its parent: a mode that a person chose on the way."""
    if end.mode is None:
        return None
    return lambda context: replace(context, permissions=replace(context.permissions, mode=end.mode))


def _cut(text: str, context: ToolUseContext) -> str:
    most = min(context.options.number(LENGTH_VARIABLE) or REPORT_CHARS_MAX, LENGTH_MAX)
    return text if len(text) <= most else f"{text[:most]}\n[The rest of the report was left out: too long.]"


def _validate(given: AgentInput, context: ToolUseContext) -> str | None:
    return misfit_agent(given.subagent_type, context.permissions.workspace)


def _block(output: AgentOutput, tool_use_id: str) -> Block:
    text = output.report if output.background else f"{output.report}\nagentId: {output.id}"
    return {"type": "tool_result", "tool_use_id": tool_use_id, "content": [{"type": "text", "text": text}]}


TOOL = build_tool(
    "Agent",
    AgentInput,
    call,
    aliases=("Task",),
    description="Give a task to a sub-agent",
    prompt=lambda context: (
        "Starts a sub-agent for a task of several steps. It sees only the prompt, uses the same tools under the same "
        "rules, and comes back with one report."
    ),
    validate_input=_validate,
    max_result_size_chars=LENGTH_MAX,
    to_auto_classifier_input=classifier_text("Agent"),
    map_result_to_block=_block,
    user_facing_name=lambda given: given.subagent_type if given and given.subagent_type else "Agent",
)
