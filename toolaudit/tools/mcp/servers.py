from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from toolaudit.structs import Struct, field

_VARIABLE: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")
_LIMIT: Final = 1 << 20
_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")


class ServerError(ValueError):
    """A server that can't be read or reached; the text says which and why."""


class Server(Struct):
    """How one server is reached: by a command that is started, or at an address."""

    name: str
    command: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)


def read(path: Path, environment: Mapping[str, str]) -> tuple[Server, ...]:
    """The servers of an `.mcp.json`, in its order; `${NAME}` and `${NAME:-default}` come from `environment` alone.

    Raises ServerError for a file that is no such list, and for a variable that is not set.
    """
    try:
        if path.stat().st_size > _LIMIT:
            raise ServerError(f"{path}: expected at most {_LIMIT:,} bytes")
        value = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise ServerError(f"{path}: {(error.strerror or str(error)).lower()}") from error
    except json.JSONDecodeError as error:
        raise ServerError(f"{path}:{error.lineno}:{error.colno}: expected JSON: {error.msg}") from error
    except (ValueError, RecursionError) as error:
        raise ServerError(f"{path}: expected JSON: {error}") from error
    servers = value.get("mcpServers") if isinstance(value, dict) else None
    if not isinstance(servers, dict):
        raise ServerError(f"{path}: expected an object mcpServers")
    return tuple(_server(path, name, entry, environment) for name, entry in servers.items())


def _server(path: Path, name: str, entry: Any, environment: Mapping[str, str]) -> Server:
    place = f"{path}: mcpServers.{name}"
    if not _NAME.fullmatch(name):
        raise ServerError(f"{place}: expected a name of letters, digits, _ and -")
    if not isinstance(entry, dict):
        raise ServerError(f"{place}: expected an object")

    def text(value: Any, key: str) -> str:
        if not isinstance(value, str):
            raise ServerError(f"{place}.{key}: expected a string, got {type(value).__name__}")
        return _expand(value, environment, f"{place}.{key}")

    def texts(key: str) -> dict[str, str]:
        given = entry.get(key, {})
        if not isinstance(given, dict):
            raise ServerError(f"{place}.{key}: expected an object")
        return {one: text(value, f"{key}.{one}") for one, value in given.items()}

    kind = entry.get("type", "stdio" if "command" in entry else "http")
    if kind == "stdio":
        arguments = entry.get("args", [])
        if not isinstance(arguments, list):
            raise ServerError(f"{place}.args: expected a list")
        words = (text(entry.get("command"), "command"), *(text(one, "args") for one in arguments))
        return Server(name, words, texts("env"))
    if kind in ("http", "streamable-http"):
        return Server(name, url=text(entry.get("url"), "url"), headers=texts("headers"))
    raise ServerError(f"{place}.type: expected stdio or http, got {kind!r}")


def _expand(text: str, environment: Mapping[str, str], place: str) -> str:
    def value(found: re.Match[str]) -> str:
        known = environment.get(found[1], found[2])
        if known is None:
            raise ServerError(f"{place}: the variable {found[1]} is not set, and there is no default for it")
        return known

    return _VARIABLE.sub(value, text)
