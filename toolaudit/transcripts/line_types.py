"""The line types Claude Code is known to write, with the clients they were seen in.

A type that is missing here is reported with its place and does no harm: a line that is neither `assistant`, `user`,
`progress`, `system`, `attachment` nor `permission-mode` can't hold a call, a result or a mode.
Sources: recorded sessions of 1.0.0 to 2.1.219, sessions made with 2.1.332, public fixtures.
"""

CONVERSATION = frozenset({"assistant", "user", "system", "attachment", "progress"})

STATE = frozenset(
    {
        "agent-name",
        "ai-title",
        "api-request",  # 2.1.332
        "api-request-blob",  # 2.1.332
        "api-request-shape",  # 2.1.332
        "artifact-created",
        "artifact-updated",
        "atis-latch",
        "bridge-session",
        "cost-state",
        "custom-title",
        "file-history-delta",
        "file-history-snapshot",  # 1.0.117
        "fork-context-ref",
        "frame-link",
        "last-prompt",
        "mode",
        "permission-mode",  # 2.1.209
        "pr-link",
        "queue-operation",
        "relocated",
        "summary",  # not after 2.1.63
        "tools-used",  # 2.1.332
        "worktree-state",
    }
)

STREAM = frozenset(
    {
        "control_cancel_request",
        "control_request",
        "control_response",
        "keep_alive",
        "rate_limit_event",
        "result",
        "stream_event",
        "tool_progress",
    }
)
"""Only in the stream-json twin of the format."""

KNOWN = CONVERSATION | STATE | STREAM
