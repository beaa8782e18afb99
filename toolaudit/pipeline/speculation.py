"""Step 5: a classifier begins to judge a shell command while the next steps still look at it.

Its answer is used only where the permission chain comes to need one, and dropped where the mode changed meanwhile
(documents, 9.5.7). It costs a classifier's call for commands that rules then settle.
"""

from __future__ import annotations

from toolaudit.permissions.request import classifies
from toolaudit.pipeline.state import State

SHELLS = frozenset({"Bash", "PowerShell"})


def run(state: State) -> str:
    if not classifies(state.mode, state.policy):
        return "no classifier answers in this mode"
    if state.call.tool not in SHELLS:
        return "only shell commands are judged ahead of need"
    state.pending = state.world.classifier.start(state.call, state)
    return "the classifier has begun to judge the command"
