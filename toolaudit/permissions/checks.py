"""Which tool's own check judges a call."""

from __future__ import annotations

from toolaudit.permissions.judgement import Judgement
from toolaudit.permissions.request import Request


def check(request: Request) -> Judgement:
    if request.call.tool == "Bash":
        from toolaudit.permissions import bash

        return bash.judge(request)
    from toolaudit.permissions import files

    return files.judge(request)
