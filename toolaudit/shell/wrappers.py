"""Programs that start another program: how far into their words the started one begins.

A rule may look through some wrappers and not others, so they are sorted by who looks through them:

- `TRANSPARENT`: allow rules, read-only checks and deny rules all see the started command;
- `SEEN_BY_DENY`: deny and ask rules see it, allow rules do not;
- `OPAQUE`: deny rules see it, and nothing but a rule for the whole text can allow the wrapper itself.

Sources: documents, 2.3; every row measured.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from toolaudit.patterns import late
from toolaudit.shell.reading import Word
from toolaudit.structs import Struct


class Wrapper(Struct):
    """The options a wrapper may carry before the command it starts."""

    flags: re.Pattern[str] | None = None
    """Whole options that take no further word."""
    valued: frozenset[str] = frozenset()
    """Options whose value is the next word."""
    operands: int = 0
    """Words that stand between the options and the command, such as the duration of `timeout`."""
    operand: re.Pattern[str] | None = None
    """What each of them must look like; None: anything."""
    assignments: bool = False
    """`NAME=value` words may stand before the command."""

    def start(self, words: Sequence[Word]) -> int | None:
        """The index in `words` (the wrapper is word 0) where the started command begins.

        None: it starts nothing, or carries an option that is not known.
        """
        at, end = 1, len(words)
        while at < end:
            value = words[at].value
            if value is None:
                break
            if value in self.valued:
                at += 2
            elif self._skips(value):
                at += 1
            else:
                break
        for _ in range(self.operands):
            if at >= end:
                return None
            value = words[at].value
            if self.operand is not None and (value is None or not self.operand.fullmatch(value)):
                return None
            at += 1
        if at >= end or words[at].text.startswith(("-", "$", "`")):
            return None
        return at

    def _skips(self, value: str) -> bool:
        flag = self.flags is not None and self.flags.fullmatch(value) is not None
        return flag or (self.assignments and _ASSIGNMENT.match(value) is not None)


_ASSIGNMENT = late(r"[A-Za-z_][A-Za-z0-9_]*=")
_ANY_FLAG = late(r"-.+", re.DOTALL)

TRANSPARENT: Mapping[str, Wrapper] = MappingProxyType(
    {
        "timeout": Wrapper(
            flags=late(r"--foreground|--preserve-status|--verbose|-v|--(?:signal|kill-after)=[A-Za-z0-9_.+-]+"),
            valued=frozenset({"-s", "-k", "--signal", "--kill-after"}),
            operands=1,
            operand=late(r"\d+(?:\.\d+)?[smhd]?"),
        ),
        "nice": Wrapper(flags=late(r"-\d+"), valued=frozenset({"-n"})),
        "nohup": Wrapper(),
        "stdbuf": Wrapper(flags=late(r"-[ioe](?:\d+|[0L])")),
        "time": Wrapper(),
        "command": Wrapper(flags=late(r"-p")),
        "builtin": Wrapper(),
        "noglob": Wrapper(),
        "xargs": Wrapper(),
    }
)

SEEN_BY_DENY: Mapping[str, Wrapper] = MappingProxyType(
    {
        "env": Wrapper(
            flags=late(r"-|-[i0v]+|--ignore-environment|--null|--(?:unset|chdir)=.*"),
            valued=frozenset({"-u", "-C", "--unset", "--chdir"}),
            assignments=True,
        ),
        "sudo": Wrapper(
            flags=late(r"-[AbEeHiKklnPSsVv]+|--[a-z-]+(?:=.*)?"),
            valued=frozenset({"-u", "-g", "-h", "-p", "-C", "-T", "-r", "-t", "-D", "-R", "-U"}),
            assignments=True,
        ),
        "doas": Wrapper(flags=late(r"-[Lns]+"), valued=frozenset({"-u", "-C"})),
    }
)

OPAQUE: Mapping[str, Wrapper] = MappingProxyType(
    {
        "watch": Wrapper(flags=_ANY_FLAG, valued=frozenset({"-n", "--interval", "-q", "--equexit"})),
        "setsid": Wrapper(flags=_ANY_FLAG),
        "ionice": Wrapper(flags=_ANY_FLAG, valued=frozenset({"-c", "-n", "--class", "--classdata"})),
        "flock": Wrapper(flags=_ANY_FLAG, valued=frozenset({"-w", "-E", "--timeout"}), operands=1),
        "script": Wrapper(flags=_ANY_FLAG),
        "strace": Wrapper(flags=_ANY_FLAG, valued=frozenset({"-e", "-o", "-p", "-s", "-u", "-E", "-P", "-a"})),
        "ltrace": Wrapper(flags=_ANY_FLAG, valued=frozenset({"-e", "-o", "-p", "-s", "-u", "-n", "-a"})),
        "chrt": Wrapper(flags=_ANY_FLAG, valued=frozenset({"-T", "-P", "-D"})),
        "taskset": Wrapper(flags=_ANY_FLAG, operands=1),
        "unshare": Wrapper(flags=_ANY_FLAG),
        "nsenter": Wrapper(flags=_ANY_FLAG),
        "nocorrect": Wrapper(),
        "exec": Wrapper(flags=late(r"-[cl]+"), valued=frozenset({"-a"})),
    }
)
