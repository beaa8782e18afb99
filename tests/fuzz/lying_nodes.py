from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tree_sitter import Node


class LyingNode:
    """A node of the parser, and all below it, where those of one kind have other attributes than the parser gave them.

    A lie is a value, or a function of the node.
    For checks of what the parser in use never does, but another version of its grammar may.
    """

    def __init__(self, node: Node, kind: str, lies: Mapping[str, object]) -> None:
        self._node = node
        self._kind = kind
        self._lies = lies

    def __getattr__(self, name: str) -> Any:
        if name in self._lies and self._node.type == self._kind:
            lie = self._lies[name]
            return self._wrapped(lie(self._node)) if callable(lie) else lie
        return self._wrapped(getattr(self._node, name))

    def _wrapped(self, value: Any) -> Any:
        if isinstance(value, Node):
            return LyingNode(value, self._kind, self._lies)
        if isinstance(value, list):
            return [self._wrapped(item) for item in value]
        if callable(value):
            return lambda *arguments: self._wrapped(value(*arguments))
        return value
