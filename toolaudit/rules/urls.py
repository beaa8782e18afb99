"""The parts of a URL that permissions depend on, read as a browser reads them.

Python's `urlsplit` sees other hosts than the client in texts such as `https://a.example\\@b.example/`. This follows
the WHATWG URL standard where it bears on the host, the path and the user information.
"""

from __future__ import annotations

import ipaddress
import re
import unicodedata
from typing import Final, NamedTuple
from urllib.parse import unquote_to_bytes

from toolaudit.patterns import late

SPECIAL: Final = frozenset({"http", "https", "ws", "wss", "ftp"})
"""Schemes whose URLs must have a host."""

_SCHEME: Final = late(r"([a-z][a-z0-9+.-]*):(.*)", re.IGNORECASE | re.DOTALL)
_AUTHORITY: Final = late(r"[^/\\?#]*")
_PORT: Final = late(r"(.*?)(?::([0-9]*))?", re.DOTALL)
_FORBIDDEN: Final = late(r"[\x00-\x20\x7f#%/:<>?@\[\\\]^|]")
_IGNORED: Final = late("[\u00ad\u034f\u180b-\u180d\u200b\u2060\ufe00-\ufe0f\ufeff]")
_DOTS: Final = late("[\u3002\uff0e\uff61]")
_UP: Final = frozenset({"..", ".%2e", "%2e.", "%2e%2e"})


class Url(NamedTuple):
    """What was understood of a URL."""

    scheme: str
    host: str
    """Lower case, in ASCII; an IP address in its usual form, in brackets for version 6; empty where there is none."""
    path: str
    """With `.` and `..` resolved."""
    user_info: bool
    """A user name or password is given."""


def parse(text: str) -> Url | None:
    """The parts of an absolute URL, or None where `text` is none."""
    text = text.strip("".join(map(chr, range(0x21)))).translate({0x09: None, 0x0A: None, 0x0D: None})
    found = _SCHEME.fullmatch(text)
    if found is None:
        return None
    scheme, rest = found[1].lower(), found[2]
    if scheme not in SPECIAL:
        host = _AUTHORITY.match(rest, 2)[0] if rest.startswith("//") else ""  # type: ignore[index]  # may match nothing
        return Url(scheme, host, rest, False)
    rest = rest.lstrip("/\\")
    authority = _AUTHORITY.match(rest)[0]  # type: ignore[index]  # may match nothing
    user, _, place = authority.rpartition("@")
    if place.startswith("["):
        address, bracket, port = place.partition("]")
        if not bracket or not re.fullmatch(r"(?::[0-9]*)?", port):
            return None
        host, port = _version6(address[1:]), port[1:]
    else:
        named = _PORT.fullmatch(place)
        assert named is not None
        host, port = _domain(named[1]), named[2] or ""
    if not host or (port and int(port[:6]) > 0xFFFF) or len(port.lstrip("0")) > 5:
        return None
    return Url(scheme, host, _path(rest[len(authority) :]), user.strip(":") != "")


def _domain(text: str) -> str | None:
    """The host that `text` names, or None where it can name none."""
    try:
        text = unquote_to_bytes(text).decode()
    except UnicodeDecodeError:
        return None
    if not text.isascii():
        text = _DOTS.sub(".", unicodedata.normalize("NFKC", _IGNORED.sub("", text).lower()))
        text = ".".join(
            label if label.isascii() else "xn--" + label.encode("punycode").decode() for label in text.split(".")
        )
    text = text.lower()
    if not text or _FORBIDDEN.search(text):
        return None
    last = text.removesuffix(".").rpartition(".")[2]
    return _version4(text) if last.isdigit() or re.fullmatch(r"0x[0-9a-f]*", last) else text


def _label(text: str) -> str:
    return text if text.isascii() else "xn--" + text.encode("punycode").decode()


def _version4(text: str) -> str | None:
    """An address of version 4 in its usual form; given, it may have fewer numbers, and octal or hexadecimal ones."""
    parts = text.removesuffix(".").split(".")
    if len(parts) > 4 or any(len(part) > 40 for part in parts):
        return None
    try:
        numbers = [_number(part) for part in parts]
        *high, low = numbers
        if any(number > 255 for number in high) or low >= 256 ** (5 - len(numbers)):
            return None
        return str(ipaddress.IPv4Address(low + sum(number << (24 - 8 * place) for place, number in enumerate(high))))
    except ValueError:
        return None


def _number(text: str) -> int:
    if text.startswith("0x"):
        return int(text[2:] or "0", 16)
    return int(text, 8) if len(text) > 1 and text.startswith("0") else int(text)


def _version6(text: str) -> str | None:
    try:
        address = ipaddress.IPv6Address(text)
    except ValueError:
        return None
    if address.ipv4_mapped is not None:
        high, low = divmod(int(address.ipv4_mapped), 0x10000)
        return f"[::ffff:{high:x}:{low:x}]"
    return f"[{address.compressed}]"


def _path(text: str) -> str:
    segments: list[str] = []
    for segment in re.split(r"[/\\]", re.split(r"[?#]", text, maxsplit=1)[0])[1:]:
        if segment.lower() in _UP:
            del segments[-1:]
        elif segment.lower() not in (".", "%2e"):
            segments.append(segment)
    return "/" + "/".join(segments)
