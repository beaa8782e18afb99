"""Bash rules: how the text in `Bash(...)` matches the text of one command.

    specifier   meaning
    npm test    this text exactly
    npm test:*  `npm test`, or `npm test ` and anything; a `*` before the `:*` is only a star
    npm *       a trailing ` *` is a word boundary: `npm`, or `npm ` and anything
    npm*        anything that starts with `npm`
    * --help    a `*` anywhere stands for any text, blanks and line ends included
    \\*          in a text with other stars, a star itself

Runs of blanks count as one, in a rule with a star and in the command. A trailing ` *` also matches the bare command
only when it is the pattern's one wildcard: `* x *` does not match `a x`.
Sources: documents, 2.1; measured.
"""

from __future__ import annotations

from functools import lru_cache

from toolaudit.patterns import late
from toolaudit.structs import Struct

_BLANKS = late(r"[ \t]+")


class CommandPattern(Struct):
    """A specifier, compiled. `parts` are the literal texts between its stars."""

    parts: tuple[str, ...]
    optional_tail: bool
    """The pattern ended in ` *` or `:*` and that was its only wildcard: its prefix alone matches too."""
    prefix: bool = False
    """It ended in `:*`."""

    @property
    def exact(self) -> bool:
        return len(self.parts) == 1

    def spells_out(self, text: str) -> bool:
        """Whether `text` is the pattern itself, or its prefix where that is written `prefix:*`."""
        return self.matches(text) if self.exact else self.prefix and text == self.parts[0][:-1]

    def matches(self, text: str) -> bool:
        """Whether the whole of `text` matches. Linear in the text for each part: parts are found leftmost, in order."""
        parts = self.parts
        first = parts[0]
        if len(parts) == 1:
            return text == first
        if self.optional_tail and text == first[:-1]:
            return True
        if not text.startswith(first):
            return False
        last = parts[-1]
        end = len(text) - len(last)
        at = len(first)
        if end < at or not text.endswith(last):
            return False
        for part in parts[1:-1]:
            found = text.find(part, at, end)
            if found < 0:
                return False
            at = found + len(part)
        return True


NEVER = CommandPattern(("\0",), optional_tail=False)
"""What matches nothing: no command holds the character. So it is with a star beside a line break (measured)."""


@lru_cache(maxsize=4096)
def compile_specifier(specifier: str) -> CommandPattern:
    """The pattern that `specifier` stands for."""
    if specifier.endswith(":*"):
        return CommandPattern((specifier[:-2] + " ", ""), optional_tail=True, prefix=True)
    parts = _split_stars(collapse_blanks(specifier))
    if len(parts) == 1:
        return CommandPattern((specifier.strip(),), optional_tail=False)
    if "\n" in specifier:
        return NEVER
    tail = len(parts) == 2 and parts[1] == "" and parts[0].endswith(" ")
    return CommandPattern(parts, optional_tail=tail)


def collapse_blanks(text: str) -> str:
    """`text` with each run of blanks and tabs made one blank, as prefix and wildcard rules see it."""
    if "  " in text or "\t" in text:
        text = _BLANKS.sub(" ", text)
    return text.strip()


def _split_stars(specifier: str) -> tuple[str, ...]:
    parts, current, at = [], [], 0
    while at < len(specifier):
        char = specifier[at]
        if char == "\\" and specifier[at + 1 : at + 2] in ("*", "\\"):
            current.append(specifier[at + 1])
            at += 2
            continue
        if char == "*":
            parts.append("".join(current))
            current = []
        else:
            current.append(char)
        at += 1
    parts.append("".join(current))
    return tuple(parts)
