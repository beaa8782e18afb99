"""Step 12: PostToolUse hooks of a call that was done, PostToolUseFailure hooks of one that failed.

The call is over, so that they block nothing any more: they tell the model something, put another output in the place
of the tool's, or stop the session after it.
"""

from __future__ import annotations

from toolaudit.model.versions import Difference
from toolaudit.pipeline import budget
from toolaudit.pipeline.state import State
from toolaudit.tools.messages import Message


def run(state: State) -> str:
    if state.failure is None:
        event = "PostToolUse"
        facts = {"tool_response": None if state.block is None else state.block.get("content")}
    else:
        event = "PostToolUseFailure"
        facts = {"error": None if state.block is None else state.block.get("content")}
    heard = state.world.hooks.hear(event, state, facts)
    if not heard.said:
        return f"no {event} hook spoke"
    state.stop = state.stop or heard.stop
    state.note(*heard.texts("feedback"), *heard.texts("context"), origin=event)
    state.notes += [Message("classifier", text, event) for text in heard.texts("classifier_context")]
    done = [f"{len(heard.said)} {event} hooks spoke"]
    if heard.output is not None and state.block is not None and state.failure is None:
        done.append(_replace(state, heard.output))
    if heard.stop is not None:
        done.append("the session stops")
    return "; ".join([*done, *heard.texts("note")])


def _replace(state: State, output: object) -> str:
    if not (state.call.tool.startswith("mcp__") or state.version.has(Difference.HOOKS_REPLACE_OUTPUT)):
        return "the output stays: only an MCP tool's can be replaced"
    assert state.block is not None
    content = output if isinstance(output, str | list) else repr(output)
    return f"the output was replaced: {budget.fit(state, {**state.block, 'content': content})}"
