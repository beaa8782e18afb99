"""The programs whose operands are checked as paths: one row each, every row measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

Operation = Literal["read", "write", "create"]


@dataclass(frozen=True, slots=True)
class Operands:
    """Which words of a program are paths: those that are neither options nor values of options nor patterns."""

    operation: Operation = "read"
    valued: frozenset[str] = frozenset()
    """Options that take the next word."""
    patterns: int = 0
    """How many operands before the paths are something else: a pattern, a script."""
    pattern_flags: frozenset[str] = frozenset()
    """Options that give the pattern, so that no operand does."""
    files: frozenset[str] = frozenset()
    """Options whose value is a path."""
    pattern_files: frozenset[str] = frozenset()
    """Those of them that give the pattern."""
    switches: str = ""
    """Letters that may stand before the letter of a valued option in one word."""


def _flags(text: str) -> frozenset[str]:
    return frozenset(text.split())


_READ = Operands()
_READERS = """
    base64 cat diff file head hexdump ls man md5sum nl od rev sha1sum sha256sum sort stat strings tail tsort uniq wc
"""
"""Every word that is no option is a path, also the count behind `head -n`."""

_VALUED = {
    "cmp": "--bytes --ignore-initial",
    "column": """
        -c -i -l -o -p -r -s -C -E -H -N -O -R -T -W --output-separator --output-width --separator --table-columns
        --table-columns-limit --table-hide --table-name --table-noextreme --table-order --table-right
        --table-truncate --table-wrap --tree --tree-id --tree-parent
    """,
    "comm": "--output-delimiter",
    "cut": "-b -c -d -f --bytes --characters --delimiter --fields --output-delimiter",
    "expand": "-t --tabs",
    "fmt": "-d -g -l -w --goal --prefix --width",
    "fold": "-w --width",
    "numfmt": """
        -d --delimiter --field --format --from --from-unit --invalid --padding --round --suffix --to --to-unit
    """,
    "paste": "-d --delimiters",
    "pr": """
        -h -l -o -w -D -N -W --columns --date-format --first-line-number --header --indent --length --page-width --width
    """,
    "tac": "-s --separator",
    "unexpand": "-t --tabs",
}

_SWITCHES = {
    "column": "dehmtxJLV",
    "cut": "nswz",
    "expand": "i",
    "fmt": "cmnsu",
    "fold": "bs",
    "numfmt": "z",
    "paste": "sz",
    "pr": "acdfmprtvFJT",
    "tac": "br",
    "unexpand": "af",
}

_GREP = Operands(
    valued=_flags(
        """
        -e -m -A -B -C --after-context --before-context --context --exclude --exclude-dir --include --max-count --regexp
        """
    ),
    patterns=1,
    pattern_flags=_flags("-e --regexp"),
    files=_flags("-f --file --exclude-from"),
    pattern_files=_flags("-f --file"),
)
_AWK = Operands(valued=_flags("-v -F"), patterns=1)

PROGRAMS: Mapping[str, Operands] = MappingProxyType(
    dict.fromkeys(_READERS.split(), _READ)
    | {name: Operands(valued=_flags(flags), switches=_SWITCHES.get(name, "")) for name, flags in _VALUED.items()}
    | dict.fromkeys(("grep", "egrep", "fgrep"), _GREP)
    | dict.fromkeys(("awk", "gawk", "mawk"), _AWK)
    | {
        "rg": Operands(
            valued=_flags(
                """
                -e -g -m -r -t -A -B -C -T --after-context --before-context --context --glob --max-count --max-depth
                --regexp --replace --type --type-not
                """
            ),
            patterns=1,
            pattern_flags=_flags("-e --regexp"),
            files=_flags("-f --file --ignore-file"),
            pattern_files=_flags("-f --file"),
        ),
        "jq": Operands(valued=_flags("--arg --argjson --args --jsonargs --indent --tab"), patterns=1),
        "git diff": _READ,
        "git grep": Operands(
            valued=_flags(
                """
                -e -m -A -B -C --after-context --before-context --context --max-count --max-depth --threads
                """
            ),
            patterns=1,
            pattern_flags=_flags("-e"),
            files=_flags("-f"),
            pattern_files=_flags("-f"),
        ),
    }
    | dict.fromkeys(("touch", "mkdir"), Operands("create"))
    | dict.fromkeys(("tee", "rm", "rmdir", "cp", "mv"), Operands("write"))
)
