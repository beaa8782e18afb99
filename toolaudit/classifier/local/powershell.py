"""A PowerShell text taken apart: enough to know each command by its name, and to say where that can't be.

Every word that may begin a command is looked at: at the start, behind `;`, `|`, `&&`, braces, parentheses and `=`.
An expression is harmless as long as it calls no method of a class.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolaudit.classifier.local.starts import Start, Text
from toolaudit.patterns import late

_TOKEN = late(
    r"\"(?:[^\"`]|`.|\"\")*\"|'(?:[^']|'')*'|#[^\n]*|\d?>{1,2}(?:&\d)?|[;|{}()\n]|&&|\|\||=(?!=)|[^\s;|{}()=\"'>#]+|[=>]+|.",
    16,
)
_HIDDEN = late(
    r"`[^\s`]|\[[\w.]+\]::|\.\w+\(|-[Ee](?:nc|ncodedCommand)\b|\$\(|^\s*&|[;|{(]\s*[&.]\s*[$\"'(]|\$env:\w*(?:TOKEN|SECRET|KEY|PASS)",
    2 | 8,
)
_ENDS: Final = frozenset({";", "|", "{", "}", "(", ")", "\n", "&&", "||", "="})
_EXPRESSION: Final = ("$", "-", "@", "[", '"', "'", "%", "*", "/", "+", ",", "!", "<", ".")
_WORDS: Final = frozenset(
    "if else elseif for foreach while do switch try catch finally return in param function begin process end".split()
)
_MOST: Final = 20_000
"""Characters of a text that are looked at; a longer one is unread."""


def take_apart(command: str) -> Text:
    """The commands of a PowerShell text; names of cmdlets in lower case."""
    if len(command) > _MOST:
        return Text((), {}, "too-long")
    found = _HIDDEN.search(command)
    return Text(tuple(_starts(command)), {}, f"hidden by {found.group().strip()}" if found is not None else "")


def _starts(command: str) -> Iterator[Start]:
    words: list[str] = []
    redirects: list[tuple[str, str]] = []
    operator = ""
    for token in (*_TOKEN.findall(command), ";"):
        if token in _ENDS:
            if (
                words
                and not words[0].startswith(_EXPRESSION)
                and words[0].lower() not in _WORDS
                and not words[0].isdigit()
            ):
                yield _start(words, redirects)
            words, redirects = [], []
        elif operator:
            redirects.append((operator, token.strip("\"'")))
            operator = ""
        elif ">" in token and "&" not in token:
            operator = token.lstrip("0123456789")
        elif token.strip() and not token.startswith("#") and "&" not in token:
            words.append(token)


def _start(words: list[str], redirects: list[tuple[str, str]]) -> Start:
    plain = [word.strip("\"'") for word in words]
    name = plain[0].replace("\\", "/")
    base = name.rpartition("/")[2].lower().removesuffix(".exe")
    return Start((base, *plain[1:]), name if "/" in name else "", redirects=tuple(redirects))
