"""A path with one leading slash that was meant to be absolute.

`/etc/**` is not `/etc`: one leading slash means the directory that the settings file stands for, the project or
`~/.claude`. An absolute path begins with two slashes, so this rule guards a folder that does not exist.

Write `//etc/**`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolaudit.checks.audit import Audit, about
from toolaudit.checks.path_on_other_tool import CONSULTED
from toolaudit.model import Finding, Severity

ID = "TA006"
SEVERITY = Severity.ERROR

TOP_LEVEL: Final = frozenset(
    """
    Applications Library Users Volumes bin boot dev etc home lib lib64 media mnt opt private proc root run sbin srv sys
    tmp usr var
    """.split()
)
"""Directories at the root of Unix machines."""


def find(audit: Audit) -> Iterator[Finding]:
    for rule in audit.written:
        path = rule.specifier or ""
        if rule.tool in PATH_TOOLS and path[:1] == "/" and path[1:2] != "/" and path[1:].split("/")[0] in TOP_LEVEL:
            below = f"{rule.root}{path}"
            yield about(rule, ID, SEVERITY, "{} is about " + below, f"for the absolute path write {rule.tool}(/{path})")


PATH_TOOLS: Final = frozenset({"Read", "Edit", *CONSULTED})
