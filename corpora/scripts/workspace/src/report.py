"""Prints counts."""

from counter import count


def report(text):
    # TODO: plural
    print(f"{count(text)} words")
