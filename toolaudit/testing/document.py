"""YAML to plain values, and where each of them stands.

YAML 1.2, so `no` and `on` are words and a date is a text. Aliases are followed, and counted: text that unfolds to more
than `MOST_VALUES` values is refused, as are tags of one's own, merge keys and keys that are no text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from toolaudit.testing.errors import PolicyTestError

MOST_BYTES: Final = 1 << 20
MOST_VALUES: Final = 200_000
DEEPEST: Final = 32

Path = tuple[str | int, ...]
"""The keys and list indexes that lead to a value."""

_CORE: Final = "tag:yaml.org,2002:"
_TRUE: Final = frozenset({"true", "True", "TRUE"})


@dataclass(frozen=True, slots=True)
class YamlDocument:
    """The value of a file, and line and column of every key and list item, counted from 1."""

    file: str
    value: Any
    places: Mapping[Path, tuple[int, int]]

    def error(self, message: str, *path: str | int) -> PolicyTestError:
        """The error about the value at `path`, placed there or at the nearest value around it."""
        line, column = self.place(path)
        return PolicyTestError(message, file=self.file, line=line, column=column)

    def place(self, path: Path) -> tuple[int, int]:
        for length in range(len(path), 0, -1):
            if place := self.places.get(path[:length]):
                return place
        return 1, 1


def read(data: bytes, file: str) -> YamlDocument:
    """The one document in `data`. Raises PolicyTestError for text that is none, or too large or deep to be meant."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    if len(data) > MOST_BYTES:
        raise PolicyTestError(f"expected at most {MOST_BYTES:,} bytes, got more", file=file)
    try:
        text = data.decode("utf-8-sig")
        nodes = list(YAML(typ="safe", pure=True).compose_all(text))
    except UnicodeDecodeError as error:
        raise PolicyTestError(f"expected UTF-8, got another byte at offset {error.start}", file=file) from None
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark is not None else (None, None)
        raise PolicyTestError(f"not YAML: {error.problem or error}", file=file, line=line, column=column) from None
    except (YAMLError, ValueError) as error:
        raise PolicyTestError(f"not YAML: {error}".splitlines()[0], file=file) from None
    except RecursionError:
        raise PolicyTestError("nested too deeply", file=file) from None
    if len(nodes) != 1:
        raise PolicyTestError(f"expected one YAML document, got {len(nodes)}", file=file)
    places: dict[Path, tuple[int, int]] = {}
    return YamlDocument(file, _Builder(file, places).value(nodes[0], ()), places)


class _Builder:
    def __init__(self, file: str, places: dict[Path, tuple[int, int]]) -> None:
        self._file = file
        self._places = places
        self._left = MOST_VALUES

    def value(self, node: Any, path: Path) -> Any:
        self._left -= 1
        if self._left < 0 or len(path) > DEEPEST:
            raise self._error(node, "nested too deeply" if self._left >= 0 else f"more than {MOST_VALUES:,} values")
        if path:
            self._places.setdefault(path, _place(node))
        if node.id == "scalar":
            return self._scalar(node)
        if node.id == "sequence":
            return [self.value(item, (*path, index)) for index, item in enumerate(node.value)]
        found: dict[str, Any] = {}
        for key, item in node.value:
            if key.id != "scalar" or key.tag == f"{_CORE}merge":
                raise self._error(key, "expected a word as key")
            if key.value in found:
                raise self._error(key, f"the key {key.value!r} is there twice")
            self._places[(*path, key.value)] = _place(key)
            found[key.value] = self.value(item, (*path, key.value))
        return found

    def _scalar(self, node: Any) -> str | int | float | bool | None:
        text: str = node.value
        try:
            match node.tag.removeprefix(_CORE):
                case "null":
                    return None
                case "bool":
                    return text in _TRUE
                case "int":
                    return int(text.replace("_", ""), 0) if len(text) < 100 else text
                case "float":
                    return float(text.replace("_", "").replace(".inf", "inf").replace(".nan", "nan"))
                case "str" | "timestamp" | "merge" | "value":
                    return text
        except ValueError:
            return text
        raise self._error(node, f"expected no tag, got {node.tag!r}")

    def _error(self, node: Any, message: str) -> PolicyTestError:
        line, column = _place(node)
        return PolicyTestError(message, file=self._file, line=line, column=column)


def _place(node: Any) -> tuple[int, int]:
    return node.start_mark.line + 1, node.start_mark.column + 1
