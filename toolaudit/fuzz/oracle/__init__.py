"""The execution oracle: what real bash would start from a command, with nothing executed but bash.

`Oracle` is the way in. What it can't see: branches that programs' output or files would lead to, programs that other
programs start (`sh -c`, `xargs`, `find -exec`), and what builtins do.
"""

from toolaudit.fuzz.oracle.requirement import OracleUnavailable
from toolaudit.fuzz.oracle.session import Oracle, Run

__all__ = ["Oracle", "OracleUnavailable", "Run"]
