"""The programs whose operands are checked as paths: one row each, every row measured."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from toolaudit.structs import Struct

Operation = Literal["read", "write", "create"]


class Operands(Struct):
    """Which words of a program are paths: those that are neither options nor values of options nor patterns.

    Options take values only before the first operand and the first unknown option: later words that do not begin with
    `-` are paths, whatever they belong to.
    """

    operation: Operation = "read"
    valued: frozenset[str] = frozenset()
    """Options that take the next word."""
    switches: frozenset[str] | None = None
    """Options that take none, one letter each or long; None: all others. Letters may share a word with a valued one."""
    patterns: int = 0
    """How many operands before the paths are something else: a pattern, a script."""
    pattern_flags: frozenset[str] = frozenset()
    """Options that give the pattern, so that no operand does."""
    files: frozenset[str] = frozenset()
    """Options whose value is a path."""
    named_files: frozenset[str] = frozenset()
    """Options that take a name and then a path."""


def _flags(text: str) -> frozenset[str]:
    return frozenset(text.split())


_READ = Operands()
_READERS = """
    base64 cat diff file head hexdump ls md5sum nl od rev sha1sum sha256sum sort stat strings tail tsort uniq wc
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
    "cmp": "-b -h -l -s -v -x -z -0 -1 -2 -3 -4 -5 -6 -7 -8 -9 --print-bytes --quiet --silent --verbose",
    "column": """
        -d -e -h -m -t -x -J -L -V --fillrows --json --keep-empty-lines --table --table-header-repeat
        --table-noheadings
    """,
    "comm": "-i -z -0 -1 -2 -3 -4 -5 -6 -7 -8 -9 --check-order --nocheck-order --total --zero-terminated",
    "cut": "-n -s -w -z --complement --only-delimited --zero-terminated",
    "expand": "-i --initial",
    "fmt": "-c -m -n -s -u --crown-margin --split-only --tagged-paragraph --uniform-spacing",
    "fold": "-b -s --bytes --spaces",
    "numfmt": "-z --debug --grouping --header --zero-terminated",
    "paste": "-s -z --serial --zero-terminated",
    "pr": """
        -a -c -d -f -m -p -r -t -v -F -J -T --across --double-space --expand-tabs --form-feed --join-lines --merge
        --no-file-warnings --number-lines --omit-header --omit-pagination --output-tabs --sep-string --separator
        --show-control-chars --show-nonprinting
    """,
    "tac": "-b -r --before --regex",
    "unexpand": "-a -f --all --first-only",
}

_GREP = Operands(
    valued=_flags(
        """
        -e -m -A -B -C --after-context --before-context --context --exclude --exclude-dir --include --max-count --regexp
        """
    ),
    patterns=1,
    pattern_flags=_flags("-e -f --regexp --file"),
    files=_flags("-f --file --exclude-from"),
)
_AWK = Operands(valued=_flags("-v -F"), patterns=1, pattern_flags=_flags("-f --file"), files=_flags("-f --file"))

PROGRAMS: Mapping[str, Operands] = MappingProxyType(
    dict.fromkeys(_READERS.split(), _READ)
    | {name: Operands(valued=_flags(valued), switches=_flags(_SWITCHES[name])) for name, valued in _VALUED.items()}
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
            pattern_flags=_flags("-e -f --regexp --file"),
            files=_flags("-f --file --ignore-file"),
        ),
        "jq": Operands(
            valued=_flags("--arg --argjson --args --jsonargs --indent --tab"),
            patterns=1,
            files=_flags("-f --from-file"),
            named_files=_flags("--rawfile --slurpfile"),
        ),
        "git diff": _READ,
        "git grep": Operands(
            valued=_flags(
                "-e -m -A -B -C --after-context --before-context --context --max-count --max-depth --threads --regexp"
            ),
            patterns=1,
            pattern_flags=_flags("-e -f --regexp --file"),
            files=_flags("-f --file"),
        ),
    }
    | dict.fromkeys(("touch", "mkdir"), Operands("create"))
    | dict.fromkeys(("tee", "rm", "rmdir"), Operands("write"))
)
