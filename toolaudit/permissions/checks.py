"""Which tool's own check judges a call."""

from __future__ import annotations

from toolaudit.permissions.judgement import Judgement
from toolaudit.permissions.request import Request


def check(request: Request) -> Judgement:
    """What the check of the call's tool says; each check is loaded when the first call needs it."""
    match request.call.tool:
        case "Bash":
            from toolaudit.permissions import bash

            return bash.judge(request)
        case "PowerShell":
            from toolaudit.permissions import powershell

            return powershell.judge(request)
        case "Read" | "Edit" | "Write" | "NotebookEdit" | "Grep" | "Glob":
            from toolaudit.permissions import files

            return files.judge(request)
        case "WebFetch":
            from toolaudit.permissions import web

            return web.judge(request)
        case "Agent":
            from toolaudit.permissions import agents

            return agents.judge_agent(request)
        case "Skill":
            from toolaudit.permissions import agents

            return agents.judge_skill(request)
        case "Workflow":
            from toolaudit.permissions import agents

            return agents.judge_workflow(request)
        case "Monitor":
            from toolaudit.permissions import agents

            return agents.judge_monitor(request)
        case "EnterWorktree":
            from toolaudit.permissions import agents

            return agents.judge_worktree(request)
        case _:
            from toolaudit.permissions import general

            return general.judge(request)
