from __future__ import annotations

from collections.abc import Callable


def selector(expression: str) -> Callable[[str], bool]:
    """Whether a name is meant by `-k EXPRESSION`: texts it must hold, with `and`, `or` and `not`; case is ignored.

    `or` binds weaker than `and`, and there are no parentheses. Raises ValueError where a text is missing.
    """
    alternatives = [_all_of(part) for part in _split(expression.lower().split(), "or")]
    return lambda name: any(all((text in name.lower()) is wanted for text, wanted in one) for one in alternatives)


def _all_of(words: list[str]) -> list[tuple[str, bool]]:
    found = []
    for part in _split(words, "and"):
        wanted = True
        while part[:1] == ["not"]:
            part, wanted = part[1:], not wanted
        if not part:
            raise ValueError("expected a text beside each of and, or, not")
        found.append((" ".join(part), wanted))
    return found


def _split(words: list[str], word: str) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for one in words:
        if one == word:
            parts.append([])
        else:
            parts[-1].append(one)
    return parts
