"""Counts words."""


def count(text):
    # TODO: numbers
    return len(text.split())
