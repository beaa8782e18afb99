"""Masking what a report that leaves the house should not carry: home directories' owners, and secrets.

A mask errs on the side of hiding. What is masked is told by a word, so that a reader still sees what kind of thing
stood there.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

# INVARIANT: every pattern is linear. A class repeated without bound is either the pattern's last item, so that a
# failing attempt costs no more than its minimum, or starts only where a run of its characters starts.

_VALUE = r"""(?:"[^"]*"|'[^']*'|[^\s"'&;|<>()\[\]{},]+)"""

_SECRET_WORD = r"(?:secret|token|passw(?:or)?d|passphrase|api[_-]?key|access[_-]?key|private[_-]?key|credentials?)"


@dataclass(frozen=True, slots=True)
class Mask:
    """A shape to hide: `pattern`, whose first group (if it has one) stays, and the word that takes the rest's place."""

    word: str
    pattern: re.Pattern[str]
    applies: Callable[[str], bool] | None = None
    """A further test of the matched text, where the shape alone says too little."""


def _mask(word: str, pattern: str, applies: Callable[[str], bool] | None = None) -> Mask:
    return Mask(word, re.compile(pattern), applies)


def _is_mixed(text: str) -> bool:
    """Whether this long word has the mixture of letters and digits that names and hashes in hex do not have."""
    digits = sum(character.isdigit() for character in text)
    return digits >= 3 and any(c.islower() for c in text) and any(c.isupper() for c in text)


MASKS: tuple[Mask, ...] = (
    _mask(
        "private key",
        r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----[^-]*(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----)?",
    ),
    _mask("user", r"((?:/home/|/Users/|\b[A-Za-z]:[\\/]{1,2}Users[\\/]{1,2}))[^/\\\s\"':;,|&<>()]+"),
    _mask("user", r"(/-(?:home|Users)-)[A-Za-z0-9]+"),
    _mask("password", r"(://[^\s/:@\"']{0,128}:)[^\s/@\"']{1,256}(?=@)"),
    _mask("anthropic key", r"\bsk-ant-[A-Za-z0-9_-]{16,}"),
    _mask("stripe key", r"\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}"),
    _mask("api key", r"\bsk-[A-Za-z0-9_-]{20,}"),
    _mask("github token", r"\b(?:gh[oprsu]_[A-Za-z0-9]{20,}|github_pat_\w{20,})"),
    _mask("gitlab token", r"\bgl(?:pat|dt|rt|cbt)-[A-Za-z0-9_-]{16,}"),
    _mask("slack token", r"\bxox[abeprs]-[A-Za-z0-9-]{10,}"),
    _mask("slack webhook", r"(hooks\.slack\.com/)services/[A-Za-z0-9/_-]+"),
    _mask("aws key id", r"\b(?:AKIA|ASIA|AGPA|AIDA|AROA)[A-Z0-9]{16}\b"),
    _mask("google key", r"\b(?:AIza[A-Za-z0-9_-]{35}|ya29\.[A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,})"),
    _mask("npm token", r"\bnpm_[A-Za-z0-9]{30,}"),
    _mask("pypi token", r"\bpypi-[A-Za-z0-9_-]{30,}"),
    _mask("hugging face token", r"\bhf_[A-Za-z0-9]{20,}"),
    _mask("digitalocean token", r"\bdo[op]_v1_[a-f0-9]{40,}"),
    _mask("sendgrid key", r"\bSG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,}"),
    _mask("telegram token", r"\b\d{8,10}:[A-Za-z0-9_-]{35}\b"),
    _mask("json web token", r"(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?"),
    _mask(
        "credentials", r"((?i:\bauthorization[\"']?\s{0,3}[:=]\s{0,3}[\"']?(?:bearer|basic|token)?)\s{0,3})[^\s\"',;]+"
    ),
    _mask("token", r"((?i:\bbearer)\s{1,3})[A-Za-z0-9._~+/=-]{8,}"),
    _mask("secret", rf"((?i:--?{_SECRET_WORD})(?:=|\s{{1,3}}))(?![$\s-]){_VALUE}"),
    _mask("secret", rf"((?i:{_SECRET_WORD}[\w-]{{0,40}})[\"']?\s{{0,3}}[:=]\s{{0,3}})(?![$\s\[]|\"\$|\"\[){_VALUE}"),
    _mask("password", r"((?<!\S)(?:-u|--user)(?:=|\s{0,3})[^\s:]{1,64}:)(?!\d+(?!\S))[^\s@]+"),
    _mask("password", rf"(\bsshpass\s{{1,3}}-p\s{{0,3}}){_VALUE}"),
    _mask("long random word", r"(?<![\w+-])[A-Za-z0-9_+-]{32,}={0,2}", _is_mixed),
)


def redact(text: str) -> str:
    """`text` with every shape of MASKS hidden, in time linear in its length."""
    for mask in MASKS:
        text = mask.pattern.sub(lambda found, mask=mask: _hidden(found, mask), text)  # type: ignore[misc]
    return text


def _hidden(found: re.Match[str], mask: Mask) -> str:
    if mask.applies is not None and not mask.applies(found.group()):
        return found.group()
    kept = found.group(1) if found.re.groups else ""
    return f"{kept}[{mask.word}]"
