"""What PowerShell text is made of, for the reader."""

from __future__ import annotations

import re
from typing import Final

from toolaudit.patterns import late

KEYWORDS: Final = frozenset(
    """
    begin break catch class clean configuration continue data define do dynamicparam else elseif end enum exit filter
    finally for foreach from function hidden if in inlinescript parallel param process return sequence static switch
    throw trap try until using var while workflow
    """.split()
)
"""Words that start something else than a command when a statement starts with one."""

ALIKE: Final = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201a\u201b", "'")
    | dict.fromkeys("\u201c\u201d\u201e", '"')
    | dict.fromkeys("\u2013\u2014\u2015", "-")
    | dict.fromkeys("\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a", " ")
    | dict.fromkeys("\u2028\u2029\u202f\u205f\u3000\v\f", " ")
)
"""Characters that PowerShell reads as another one."""

INVISIBLE: Final = late(
    "[\x00-\x08\x0e-\x1f\x7f\u0080-\u0084\u0086-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff"
    "\U000e0000-\U000e0fff]"
)

START: Final = late(
    r"""
      (?P<comment> \# [^\r\n]* )
    | (?P<block> <\# )
    | (?P<merge> [1-6*]? >& [12] (?![^\s;|)}]) )
    | (?P<redirect> [1-6*]? >>? )
    | (?P<here> @ ['"] [ \t]* (?:\r\n?|\n) )
    | (?P<group> @ [({] )
    | (?P<splat> @ )
    """,
    re.VERBOSE,
)
"""What means something only where a word may start."""

TOKEN: Final = late(
    r"""
      (?P<blank> [ \t]+ )
    | (?P<end> \r\n? | \n | ; | && | \|\| )
    | (?P<pipe> \| )
    | (?P<background> & )
    | (?P<redirect> >>? )
    | (?P<input> < )
    | (?P<single> ' (?: [^']++ | '' )*+ '? )
    | (?P<double> " )
    | (?P<constant> \$ (?:true|false|null) (?= [\s;|&)}] | \Z ) )
    | (?P<group> \$ \( | \( | \{ )
    | (?P<variable> \$ (?: \{ [^}]* \}? | [\w?^$]? [\w:]* ) )
    | (?P<close> [)}] )
    | (?P<escape> ` (?: \r\n | [\s\S] )? )
    | (?P<comma> , )
    | (?P<plain> [^ \t\r\n;&|<>'"$(){}`,]+ )
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""Every character starts one of these."""

ASSIGNMENT: Final = late(r"(?:[.\[][^\s=;|]*)?[ \t]*(?:[-+*/%]|\?\?)?=")
OPERATORS: Final = frozenset({"=", "+=", "-=", "*=", "/=", "%=", "??="})
STRINGS: Final = {
    '"': late(r'""|"|`[\s\S]?|\$\(|\$(?=[\w{?^$:])'),
    '\n"@': late(r'\n"@|`[\s\S]?|\$\(|\$(?=[\w{?^$:])'),
}
"""What ends an expandable string -> what means something in it."""

BLANKS: Final = late(r"\s*")
NAME: Final = late(r"[A-Za-z_.\\/~][\w.:\\/~+-]*|[?%]")
