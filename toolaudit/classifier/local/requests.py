"""What a user asks for and rules out, clause by clause, as far as words tell.

A request is a clause that begins with its verb, perhaps after words of courtesy. Questions and statements ask for
nothing: "the force push broke it" is no request to push.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from toolaudit.patterns import late

_CLAUSE = late(r"[.;!?](?:\s|\Z)|\n|,|\bbut\b|\band then\b", 2)
_NEGATION = late(
    r"(?<![-\w])(?:don'?t|do not|does not|must not|mustn'?t|never|no|not|without|before|leave|avoid|instead of|nothing|"
    r"except|hands off|hold off|skip|refrain|keep away|i(?:'ll| will) [^,]{0,60}myself)(?![-\w])",
    2,
)
_COURTESY = late(
    r"(?:(?:please|ok(?:ay)?|yes|now|then|and|also|just|go ahead(?: and)?|you (?:can|may|should)|"
    r"(?:can|could|would|will) you(?: please)?|let'?s|i (?:want|need|would like) you to|i'd like you to|next|finally|"
    r"first|after that)[\s:]+)*",
    2,
)
_WONDERS = late(
    r"(?:what|why|how|who|when|where|which|should|shall|is|are|was|were|does|did|do you|has|have you|explain|describe|"
    r"look (?:at|into)|review|tell me (?:about|what|why|how|if)|show me (?:how|what))\b",
    2,
)
_HEAD = late(r"[A-Za-z][\w-]*")


@dataclass(frozen=True, slots=True)
class Request:
    """One clause that asks for something."""

    head: str
    """Its first verb, in lower case."""
    text: str


def clauses(message: str) -> Iterator[str]:
    """The clauses of a message."""
    return (part for one in _CLAUSE.split(message) if (part := one.strip()))


def negated(clause: str) -> bool:
    """Whether a clause rules something out."""
    return _NEGATION.search(clause) is not None


def requests(message: str) -> Iterator[Request]:
    """The clauses of a message that ask for something."""
    for clause in clauses(message):
        if negated(clause) or _WONDERS.match(clause):
            continue
        courtesy = _COURTESY.match(clause)
        text = clause[courtesy.end() :] if courtesy is not None else clause
        head = _HEAD.match(text)
        if head is not None:
            yield Request(head.group().lower(), text)
