"""The permission layer's word on files that no call names: those a search meets, and those an edit finds unread."""

from __future__ import annotations

from toolaudit.model import Mode, Policy, ToolCall
from toolaudit.model.versions import NEWEST, Version
from toolaudit.model.workspace import Workspace
from toolaudit.permissions import files
from toolaudit.permissions.path_verdict import Operation
from toolaudit.permissions.request import Request
from toolaudit.structs import Struct


class PolicyAccess(Struct):
    """What a policy says in one mode. As a context that moves on has another mode, it is made anew for each call."""

    policy: Policy
    mode: Mode
    workspace: Workspace
    version: Version = NEWEST

    def readable(self, path: str) -> bool:
        """Whether Read would need no approval for the absolute path: such a file may be edited unread (measured)."""
        return files.readable(path, self._request(path))

    def hidden(self, path: str) -> bool:
        """Whether a deny rule keeps the absolute path from being read; it hides it from searches (documents, 4.2)."""
        verdict = self._request(path).paths.judge(path, Operation.READ)
        return verdict.deny is not None

    def _request(self, path: str) -> Request:
        call = ToolCall("Read", {"file_path": path})
        return Request(call, self.policy, self.mode, self.workspace, version=self.version)
