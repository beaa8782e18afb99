"""Shell commands: from text to what bash would start, or the reason why that can't be said."""

from toolaudit.shell.reader import read
from toolaudit.shell.reading import (
    Assignment,
    Complexity,
    Reading,
    Redirect,
    Shape,
    SimpleCommand,
    Span,
    Word,
)

__all__ = [
    "Assignment",
    "Complexity",
    "Reading",
    "Redirect",
    "Shape",
    "SimpleCommand",
    "Span",
    "Word",
    "read",
]
