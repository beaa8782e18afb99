r"""Text of a settings file to a `Document`: strict JSON, and an error that says what stands where.

What the client does with the same text (measured): for comments, trailing commas, single quotes, NaN, raw control
characters, an empty file, text after the end, a top level that is no object, see `errors.fate`. It reads past a byte
order mark and in UTF-16; bytes that are not UTF-8 become U+FFFD; of a key that is there twice the last counts.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from toolaudit.model import Scope
from toolaudit.patterns import late
from toolaudit.settings.document import Document
from toolaudit.settings.errors import SettingsError, fate, quote
from toolaudit.settings.positions import place, positions

if TYPE_CHECKING:
    import json

MAX_BYTES = 2 * 1024 * 1024
"""The client drops a longer file (measured)."""

MAX_DEPTH = 100
"""The client has no such limit; no key of the settings comes near it."""

_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_EXPECTED = {
    "Expecting value": "a value",
    "Expecting property name enclosed in double quotes": "a key in double quotes",
    "Expecting ':' delimiter": "a colon",
    "Expecting ',' delimiter": "a comma or the end of the list or object",
    "Extra data": "the end of the file",
}
_WORD = late(r"\w{1,20}|[!-~]", re.ASCII)
_COMMENT = late(r"//|/\*|#")
_BRACKET_OR_STRING = late(r'"(?:[^"\\]++|\\.)*+"?|[\[\]{}]')
_CONSTANT = late(r'"(?:[^"\\]++|\\.)*+"|-?Infinity|NaN')
_SURROGATE_ESCAPE = late("[\ud800-\udfff]|\\\\u[dD][89a-fA-F]")
_SURROGATE = late("[\ud800-\udfff]")
_STRING = late(r'"(?:[^"\\]++|\\.)*+"')


def parse(data: bytes | str, scope: Scope, file: str | None = None, directory: str | None = None) -> Document:
    """The document that `data` holds.

    Raises SettingsError where `data` is too long, not UTF-8, not strict JSON, or no object.
    """
    name = file or f"<{scope} settings>"
    dropped = fate(scope, readable=False)
    if len(data) > MAX_BYTES:
        message = f"expected at most {MAX_BYTES:,} bytes, got {len(data):,}"
        raise SettingsError(message, help=f"{dropped}; remove what is not needed", file=name)
    if data.startswith("\ufeff") if isinstance(data, str) else data.startswith(_MARKS):
        raise SettingsError(
            "expected UTF-8 without a byte order mark, got a byte order mark",
            help="the client reads past the mark, other JSON tools do not; save the file as plain UTF-8",
            file=name,
        )
    text = data if isinstance(data, str) else _decode(data, name)
    value = _load(text, name, dropped)
    places, twice = positions(text)
    document = Document(scope, value if isinstance(value, dict) else {}, file, directory, places)
    if not isinstance(value, dict):
        raise document.error(f"expected an object, got {describe(value)}", f"{dropped}; put the keys in braces")
    if twice is not None:
        raise document.error(
            f"expected each key once, got {quote(str(twice[-1]))} again",
            "of the two the client takes the last and drops the rules of the first; merge them",
            *twice,
        )
    return document


def describe(value: object) -> str:
    """The JSON name of a value's type, with its article."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return f"the string {quote(value, 30)}"
        case int() | float():
            return "a number"
        case list():
            return "a list"
        case _:
            return "an object"


def _decode(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        line, column = place(before, len(before))
        raise SettingsError(
            f"expected UTF-8, got the byte 0x{data[error.start]:02x}",
            help="the client puts U+FFFD in its place, so a rule means something else; save the file as UTF-8",
            file=name,
            line=line,
            column=column,
        ) from None


def _load(text: str, name: str, dropped: str) -> Any:
    import json  # which a check without files never needs

    def fail(message: str, offset: int, help: str) -> SettingsError:
        line, column = place(text, offset)
        return SettingsError(message, help=help, file=name, line=line, column=column)

    def constant(word: str) -> None:
        raise fail(f"expected a number, got {word}", _find(_CONSTANT, text, word), f"{dropped}; JSON has no {word}")

    if text.count("[") + text.count("{") > MAX_DEPTH and (deep := _too_deep(text)) is not None:
        message = f"expected at most {MAX_DEPTH} levels of nesting, got more"
        raise fail(message, deep, "no settings key nests that deep; remove the value")
    try:
        # Numbers decide nothing; as int, one of a million digits would cost seconds or a ValueError.
        value = json.loads(text, parse_constant=constant, parse_int=float)
    except json.JSONDecodeError as error:
        message, offset, advice = _explain(error, text)
        raise fail(message, offset, f"{dropped}; {advice}") from None
    if _SURROGATE_ESCAPE.search(text):
        for match in _STRING.finditer(text):
            if _SURROGATE.search(json.loads(match.group())):
                raise fail(
                    "expected text, got half of a surrogate pair",
                    match.start(),
                    "the client keeps it, but no command or path can hold it; write the whole character",
                )
    return value


def _explain(error: json.JSONDecodeError, text: str) -> tuple[str, int, str]:
    """Message, offset and advice for what the JSON parser stumbled over."""
    if error.msg.startswith("Invalid control character"):
        return (
            f"expected an escape in a string, got {quote(text[error.pos])} itself",
            error.pos,
            "write it as an escape",
        )
    if error.msg.startswith("Invalid \\"):
        return "expected an escape that JSON has, got another", error.pos, "write a backslash itself twice"
    if error.msg.startswith("Unterminated string"):
        return "expected a closing quote, got none", error.pos, "close the string"
    offset = error.pos
    while offset < len(text) and text[offset].isspace():
        offset += 1
    before = text[:offset].rstrip()
    if error.msg.startswith("Illegal trailing comma") or (
        text[offset : offset + 1] in ("]", "}") and before[-1:] == ","
    ):
        return "expected no comma before the end of a list or object, got one", len(before) - 1, "remove the comma"
    expected = next((words for start, words in _EXPECTED.items() if error.msg.startswith(start)), "JSON")
    if offset == len(text):
        advice = "the file is cut short" if before else "write {} for no settings"
        return f"expected {expected}, got the end of the file", offset, advice
    if _COMMENT.match(text, offset):
        return f"expected {expected}, got a comment", offset, "JSON has no comments; remove it"
    if text[offset] == "'":
        return f"expected {expected}, got a single quote", offset, "use double quotes"
    word = _WORD.match(text, offset)
    return f"expected {expected}, got {word.group() if word else quote(text[offset])}", offset, "correct it"


def _find(pattern: re.Pattern[str], text: str, token: str) -> int:
    return next(match.start() for match in pattern.finditer(text) if match.group() == token)


def _too_deep(text: str) -> int | None:
    """The offset of the first bracket beyond MAX_DEPTH."""
    depth = 0
    for match in _BRACKET_OR_STRING.finditer(text):
        if match.group() in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                return match.start()
        elif match.group() in "]}":
            depth -= 1
    return None
