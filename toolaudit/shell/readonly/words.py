"""What the client takes a word for whose value only run time knows."""

from __future__ import annotations

from toolaudit.shell.reading import Word

_HOME_FEATURES = frozenset({"variable", "tilde", "single-quote", "double-quote"})

RUNTIME = "\0"
"""Stands for a word that is only known at run time."""


def known(word: Word) -> str | None:
    """The value of a word, the home directory taken for known: a path, if not this one. None: not known."""
    if word.value is not None:
        return word.value
    if word.features <= _HOME_FEATURES:
        text = word.text.replace("$HOME", "/home").replace('"', "").replace("'", "")
        return None if "$" in text or "\\" in text else text
    return None
