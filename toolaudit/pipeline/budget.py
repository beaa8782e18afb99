"""Step 11: results that would crowd the conversation: too long by themselves, or together with all before them.

A result over its tool's limit, or over what is left to the whole conversation, is kept in a file and replaced by a
preview; Read's never is, as the model would have to Read the file it was kept in. A failure is cut in the middle and
kept nowhere (documents, 13).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from toolaudit.pipeline.persisting import PREVIEW_CHARS, persist, shorten
from toolaudit.pipeline.state import State

ERROR_CHARS: Final = 10_000
"""What stays of the text of a failure (documents, 13)."""


def run(state: State) -> str:
    if state.failure is not None:
        text = str(state.failure) or type(state.failure).__name__
        state.block = _block(state, shorten(text, ERROR_CHARS), failed=True)
        return "the failure is cut to its limit" if len(text) > ERROR_CHARS else "the failure is short enough"
    if state.result is None:
        return "the result stands as it was recorded"
    assert state.tool is not None
    return fit(state, state.tool.map_result_to_block(state.result.data, state.call.id or ""))


def fit(state: State, block: Mapping[str, Any]) -> str:
    """Makes `block` the call's result, with a preview in its place where it is too long; says which."""
    assert state.tool is not None
    assert state.context is not None
    text, others = _parts(block.get("content"))
    limit, replacements = state.tool.max_result_size_chars, state.context.replacements
    state.block = block
    if math.isinf(limit):
        replacements.take(len(text), always=True)
        return f"{len(text):,} characters; this tool's results are never kept elsewhere"
    if len(text) <= limit and (replacements.take(len(text)) or len(text) <= PREVIEW_CHARS):
        return f"{len(text):,} characters, within the limits"
    why = "the tool's limit" if len(text) > limit else "what is left to the conversation"
    directory = state.context.options.results_directory
    if not directory:
        kept = shorten(text, min(int(limit), PREVIEW_CHARS))
        said = f"{len(text):,} characters are over {why}; cut, as there is no place to keep them"
    else:
        try:
            kept, path = persist(text, directory)
        except OSError as error:
            kept = shorten(text, min(int(limit), PREVIEW_CHARS))
            said = f"{len(text):,} characters are over {why}; cut, as they can't be kept ({error.strerror})"
        else:
            replacements.replace(state.call.id or "", path)
            said = f"{len(text):,} characters are over {why}; kept in a file"
    replacements.take(len(kept), always=True)
    state.block = {**block, "content": [{"type": "text", "text": kept}, *others] if others else kept}
    return said


def _block(state: State, text: str, *, failed: bool) -> Mapping[str, Any]:
    return {"type": "tool_result", "tool_use_id": state.call.id or "", "content": text, "is_error": failed}


def _parts(content: object) -> tuple[str, list[Any]]:
    """The text of a result, and its blocks of other kinds, such as images."""
    if isinstance(content, str):
        return content, []
    blocks = list(content) if isinstance(content, Sequence) else []
    texts = [block["text"] for block in blocks if isinstance(block, Mapping) and block.get("type") == "text"]
    return "\n".join(map(str, texts)), [
        block for block in blocks if not (isinstance(block, Mapping) and block.get("type") == "text")
    ]
