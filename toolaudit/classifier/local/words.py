"""Words of a text, so that `verify_signature`, `verifySignature` and "verifies signatures" have words in common."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from toolaudit.patterns import late

_PART = late(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+(?:\.\d+)*|[^\W\d_]+")
_ZEROS = late(r"(?:\.0+)+\Z")
"""What a version has behind the number that people say."""
_ENDINGS: Final = ("ations", "ation", "ings", "ing", "ies", "ied", "ers", "ors", "ed", "es", "er", "or", "e", "s", "y")
_SHORTEST: Final = 3
"""Letters of a word that are left when its ending is taken off."""
_SMALL: Final = frozenset(
    """
    a all also an and any are as at be been but by can could did do does for from get got had has have he her his how i
    if in into is it its just let make me more my new no not now of on only or our out please she should so some than
    that the their them then there these they this to too us use very was we were what when where which who why will
    with would you your
    """.split()
)
"""Words that name nothing."""

_NUMBERS: Final = dict(
    zip("zero one two three four five six seven eight nine ten eleven twelve".split(), map(str, range(13)), strict=True)
)


@lru_cache(maxsize=4096)
def stems(text: str) -> frozenset[str]:
    """The words of a text without their endings; what names nothing is left out."""
    found = (part.lower() for part in _PART.findall(text))
    words = {_NUMBERS.get(word) or stem(word) for word in found if word not in _SMALL}
    words |= {_ZEROS.sub("", word) for word in words if word[0].isdigit()}
    return frozenset(words)


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """A word in lower case without its ending: equal for the forms of one word, as far as that goes."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            return _undoubled(word[: -len(ending)])
    return word


def _undoubled(word: str) -> str:
    """`stopp` of `stopped` is `stop`."""
    return word[:-1] if len(word) > _SHORTEST and word[-1] == word[-2] and word[-1] not in "ls" else word


_COMMON: Final = frozenset(
    map(
        stem,
        """
        assert equal equals expect should that is are to be class const def else elif end error false fail fix func
        function green if int let none null pass public return self str string test this true type value var void work
        make build check run
        """.split(),
    )
)
"""Words that name nothing in particular of a program."""


def changed(old: str, new: str) -> frozenset[str]:
    """The words that only one of two program texts has, those that name nothing in particular left aside."""
    return (stems(old) ^ stems(new)) - _COMMON


def new_lines(text: str, before: str) -> list[str]:
    """The lines of `text`, blank ones aside, that `before` does not have, however they are indented."""
    had = frozenset(line.strip() for line in before.splitlines())
    return [line for line in text.splitlines() if line.strip() and line.strip() not in had]
