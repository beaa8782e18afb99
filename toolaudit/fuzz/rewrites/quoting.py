"""Other spellings of a word that bash undoes before it looks at the word."""

from __future__ import annotations

import re

from toolaudit.fuzz.chance import Chance
from toolaudit.fuzz.rewrites.command import Command, Rewrite, Spelling, quote


class SingleQuotes(Spelling):
    """Everything between single quotes stands for itself; only a single quote can't stand there."""

    def spell(self, word: str, chance: Chance) -> str | None:
        return None if "'" in word else f"'{word}'"


class DoubleQuotes(Spelling):
    r"""Between double quotes only $, `, \ and the quote itself need a backslash."""

    def spell(self, word: str, chance: Chance) -> str | None:
        return double_quoted(word)


class DollarQuotes(Spelling):
    r"""$'…' is a quoted word in which \ escapes are read."""

    def spell(self, word: str, chance: Chance) -> str | None:
        return "$'" + re.sub(r"([\\'])", r"\\\1", word) + "'"


class HexEscapes(Spelling):
    r"""In $'…', \xHH is the byte of that value."""

    def spell(self, word: str, chance: Chance) -> str | None:
        return "$'" + "".join(f"\\x{byte:02x}" for byte in word.encode()) + "'"


class OctalEscapes(Spelling):
    r"""In $'…', \NNN is the byte of that octal value."""

    def spell(self, word: str, chance: Chance) -> str | None:
        return "$'" + "".join(f"\\{byte:03o}" for byte in word.encode()) + "'"


class UnicodeEscapes(Spelling):
    r"""In $'…', \uHHHH is the character of that number."""

    def spell(self, word: str, chance: Chance) -> str | None:
        return (
            None
            if any(ord(letter) > 0xFFFF for letter in word)
            else ("$'" + "".join(f"\\u{ord(letter):04x}" for letter in word) + "'")
        )


class LocaleQuotes(Spelling):
    """$"…" is a double-quoted word that may be translated; without a message catalog it stays what it is."""

    def spell(self, word: str, chance: Chance) -> str | None:
        return "$" + double_quoted(word) if word else None


class Backslashes(Spelling):
    """A backslash in front of a character quotes it; in front of a line end it would remove both."""

    def spell(self, word: str, chance: Chance) -> str | None:
        return None if not word or "\n" in word else "".join(f"\\{letter}" for letter in word)


class LeadingBackslash(Spelling):
    """One quoted character is enough to keep an alias from being looked up; the word is the same."""

    def spell(self, word: str, chance: Chance) -> str | None:
        return None if not word or word[0] == "\n" else "\\" + word[0] + (quote(word[1:]) if word[1:] else "")


class QuotedLetter(Spelling):
    """Quoted and unquoted pieces that touch make one word."""

    def spell(self, word: str, chance: Chance) -> str | None:
        if not re.fullmatch(r"[A-Za-z0-9_./-]+", word):
            return None
        at = chance.position(len(word) - 1)
        return f"{word[:at]}'{word[at]}'{word[at + 1 :]}"


class EmptyQuotes(Spelling):
    """Empty quotes inside a word add nothing to it."""

    def spell(self, word: str, chance: Chance) -> str | None:
        if not re.fullmatch(r"[A-Za-z0-9_./-]+", word):
            return None
        at = chance.position(len(word))
        return word[:at] + chance.choose(("''", '""', "$''")) + word[at:]


class MixedQuotes(Spelling):
    """Each piece of a word may be quoted its own way."""

    def spell(self, word: str, chance: Chance) -> str | None:
        if len(word) < 2 or "'" in word:
            return None
        at = chance.position(len(word) - 2) + 1
        return f"'{word[:at]}'{double_quoted(word[at:])}"


class ContinuedWord(Spelling):
    """A backslash and a line end vanish before bash splits the line into words."""

    def spell(self, word: str, chance: Chance) -> str | None:
        if len(word) < 2 or quote(word) != word:
            return None
        at = chance.position(len(word) - 2) + 1
        return f"{word[:at]}\\\n{word[at:]}"


class ContinuedQuotes(Spelling):
    """They vanish between double quotes too."""

    def spell(self, word: str, chance: Chance) -> str | None:
        if len(word) < 2 or double_quoted(word) != f'"{word}"':
            return None
        at = chance.position(len(word) - 2) + 1
        return f'"{word[:at]}\\\n{word[at:]}"'


class DoubleBlanks(Rewrite):
    """Any number of blanks separates two words."""

    def apply(self, command: Command, chance: Chance) -> Command | None:
        return regapped(command, "  ")


class Tabs(Rewrite):
    """A tab is a blank."""

    def apply(self, command: Command, chance: Chance) -> Command | None:
        return regapped(command, "\t")


class ContinuedLine(Rewrite):
    """A backslash and a line end between two words vanish, and the blank beside them separates the words."""

    def apply(self, command: Command, chance: Chance) -> Command | None:
        return regapped(command, chance.choose((" \\\n", " \\\n  ", "\\\n ")))


def regapped(command: Command, gap: str) -> Command | None:
    return command.regapped(gap) if len(command.pieces) > 1 else None


def double_quoted(word: str) -> str:
    return '"' + re.sub(r'([$`"\\])', r"\\\1", word) + '"'
