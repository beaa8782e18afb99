from __future__ import annotations

from toolaudit.structs import Struct


class Word(Struct):
    """One argument of a statement, or its command name."""

    text: str
    """As written."""
    items: tuple[str, ...]
    """What it stands for, quotes removed: the elements of `a,b`, else one. Variables stay as written."""
    quoted: bool = False
    """Some of it stands in quotes."""
    literal: bool = True
    """`items` are the values PowerShell passes on: no variable, substitution or escape is in them."""

    @property
    def value(self) -> str:
        return ",".join(self.items)

    @property
    def is_parameter(self) -> bool:
        """Whether PowerShell takes it for the name of a parameter, as in `-Path` or `-Confirm:$false`."""
        return self.text[:1] == "-" and (self.text[1:2].isalpha() or self.text[1:2] in ("_", "?"))


class Statement(Struct):
    """One command with its arguments: a stage of a pipeline, or what stands between `;`, `&&`, `||` and line ends."""

    text: str
    """As written, redirections included."""
    words: tuple[Word, ...]
    redirects: tuple[Word, ...] = ()
    """The files that redirections write to."""
    piped: bool = False
    """It takes the output of the statement before it."""

    @property
    def name(self) -> str:
        """The command's name; empty for redirections alone."""
        return self.words[0].value if self.words else ""

    @property
    def spelled(self) -> str:
        """As rules see it: its words as written, one blank between them, without redirections (documents, 2.1.8)."""
        return " ".join([word.text for word in self.words])


class Reading(Struct):
    """A command text taken apart."""

    statements: tuple[Statement, ...]
    """In the order of their ends; those inside brackets and substitutions too."""
    complexity: str | None = None
    """Why the text is not understood; then `statements` may be incomplete, and are good for refusing only."""
    deferred: bool = False
    """`&` puts a pipeline in the background."""
