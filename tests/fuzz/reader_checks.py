"""The checks of the reader, found in its source, and a way to switch one of them off.

A check is a place where the reader objects, or makes a note that may become an objection later:

- an `if` that does nothing but refuse; each part of an `or` is a check of its own;
- a call that notes an evaluation, or a variable whose value is not known;
- a call of a function that does nothing but check;
- a builtin whose words are looked at.

Not counted are objections without which the reader could not go on: where something was not found, and behind a loop
that found nothing more to read.
"""

from __future__ import annotations

import ast
import importlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

from toolaudit.shell import builtins

MODULES = (
    *("assignments", "builtins", "compounds", "conditions", "expansions", "flat", "heredocs", "pipelines"),
    *("redirects", "sequences", "simple", "state", "substitutions", "text", "tree", "words"),
)
NOTES = ("state.evaluates(", "state.uses_", "state.unknown_values.", "state.arrays.", "set_variable(")


@dataclass(frozen=True)
class Check:
    """One check: where it is, and its source."""

    place: str
    """Module and function."""
    source: str
    nth: int = 1
    """Among those of the same source in the function."""
    site: int = 0
    """Among all of the function."""

    def __str__(self) -> str:
        return f"{self.place}: {self.source}" + (f" ({self.nth})" if self.nth > 1 else "")

    @contextmanager
    def off(self) -> Iterator[None]:
        """The reader without this check, and with all else."""
        if self.place == "builtins.CHECKED":
            known = builtins.CHECKED
            builtins.CHECKED = known - {self.source}
            try:
                yield
            finally:
                builtins.CHECKED = known
            return
        function = _functions(self.place.partition(".")[0])[self.place]
        saved = function.__code__
        function.__code__ = _without(self.place, self.site)
        try:
            yield
        finally:
            function.__code__ = saved


def checks() -> list[Check]:
    """All of them, in the order of the source."""
    found = []
    for module in MODULES:
        for place, node in _definitions(module):
            finder = _Sites()
            finder.visit(node)
            count: Counter[str] = Counter()
            for site, source in enumerate(finder.found):
                count[source] += 1
                found.append(Check(place, source, count[source], site))
    return found + [Check("builtins.CHECKED", name) for name in sorted(builtins.CHECKED)]


class _Sites(ast.NodeTransformer):
    """Finds the checks of one function, and takes out the one with the number `unwanted`."""

    def __init__(self, unwanted: int | None = None) -> None:
        self.unwanted = unwanted
        self.found: list[str] = []
        self.breaks_refuse = False

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        *before, last = node.body
        if self._refuses(last) and all(isinstance(statement, ast.Assign) for statement in before):
            parts = node.test.values if isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.Or) else []
            for part in parts or [node.test]:
                if _asks_for_nothing(part) or not self._is_unwanted(part):
                    continue
                rest = [other for other in parts if other is not part]
                if not rest:
                    return [ast.Pass(), *node.orelse]
                node.test = rest[0] if len(rest) == 1 else ast.BoolOp(ast.Or(), rest)
        return self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        if isinstance(node.value, ast.Call):
            call = ast.unparse(node.value)
            name = ast.unparse(node.value.func).rpartition(".")[2]
            is_check = name.lstrip("_").startswith("check") or any(note in call for note in NOTES)
            if is_check and self._is_unwanted(node.value):
                return ast.Pass()
        return node

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """A `break` refuses where the loop is followed by nothing but a refusal."""
        body = getattr(node, "body", None)
        for statement, following in pairwise(body) if isinstance(body, list) else ():
            if isinstance(statement, ast.For | ast.While) and _is_refusal(following):
                self.breaks_refuse = True
        return super().generic_visit(node)

    def _refuses(self, statement: ast.stmt) -> bool:
        if isinstance(statement, ast.Return) and statement.value is not None:
            return ast.unparse(statement.value).startswith(("False", "Complexity(", "TOO_"))
        return _is_refusal(statement) or (isinstance(statement, ast.Break) and self.breaks_refuse)

    def _is_unwanted(self, node: ast.expr) -> bool:
        self.found.append(ast.unparse(node))
        return self.unwanted == len(self.found) - 1


def _is_refusal(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Raise) and statement.exc is not None and ".refusal(" in ast.unparse(statement.exc)


def _asks_for_nothing(test: ast.expr) -> bool:
    """Whether a condition is that something was not found."""
    return isinstance(test, ast.Compare) and ast.unparse(test).endswith(" is None")


def _module(name: str) -> ModuleType:
    return importlib.import_module(f"toolaudit.shell.{name}")


def _definitions(module: str) -> Iterator[tuple[str, ast.FunctionDef]]:
    for node in ast.parse(Path(_module(module).__file__ or "").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            yield f"{module}.{node.name}", node
        elif isinstance(node, ast.ClassDef):
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef):
                    yield f"{module}.{node.name}.{inner.name}", inner


@cache
def _functions(module: str) -> dict[str, FunctionType]:
    found = {}
    for place, _ in _definitions(module):
        owner: object = _module(module)
        for name in place.split(".")[1:]:
            owner = vars(owner)[name]
        if isinstance(owner, FunctionType):
            found[place] = owner
    return found


@cache
def _without(place: str, site: int) -> CodeType:
    """The code of a function without one of its checks."""
    module = _module(place.partition(".")[0])
    node = next(node for name, node in _definitions(place.partition(".")[0]) if name == place)
    tree = ast.fix_missing_locations(ast.Module([_Sites(site).visit(node)], []))
    code = compile("from __future__ import annotations\n" + ast.unparse(tree), str(module.__file__), "exec")
    return next(item for item in code.co_consts if isinstance(item, CodeType) and item.co_name == node.name)
