"""Ways to say the same command differently, each a class that names the shell facts it rests on.

`ALL` is every one of them by name; `rewritten` applies a few at random.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from types import MappingProxyType, ModuleType

from toolaudit.fuzz.chance import Chance
from toolaudit.fuzz.rewrites import (
    arguments,
    builtins,
    expansions,
    programs,
    quoting,
    redirections,
    structure,
    substitutions,
)
from toolaudit.fuzz.rewrites.command import Command, Rewrite


def _defined(module: ModuleType) -> Iterator[Rewrite]:
    """The rewrites of a module, in the order of their definition."""
    for kind in vars(module).values():
        is_here = inspect.isclass(kind) and issubclass(kind, Rewrite) and kind.__module__ == module.__name__
        if is_here and not kind.is_base:
            yield kind()


_MODULES = (quoting, expansions, structure, substitutions, redirections, builtins, arguments)
BY_BASH = MappingProxyType({rewrite.name: rewrite for module in _MODULES for rewrite in _defined(module)})
"""Those that bash itself undoes: the oracle sees the target start."""
BY_PROGRAM = MappingProxyType({rewrite.name: rewrite for rewrite in programs.REWRITES})
"""Those that another program undoes, by the fact of the same name."""
ALL = MappingProxyType({**BY_BASH, **BY_PROGRAM})
FAMILIES = MappingProxyType({name: type(rewrite).__module__.rpartition(".")[2] for name, rewrite in ALL.items()})
"""The kind of each rewrite: the name of the module that defines it."""
COUNTS = (1, 1, 1, 2, 2, 3)


def rewrite(argv: Iterable[str], names: Sequence[str], chance: Chance) -> Command:
    """`argv` said by the rewrites named, one after the other; those that do not apply are left out."""
    command = Command.plain(argv)
    for name in names:
        changed = ALL[name].apply(command, chance)
        if changed is not None:
            command = replace(changed, rewrites=(*command.rewrites, name))
    return command


def rewritten(argv: Iterable[str], chance: Chance, names: Sequence[str] = tuple(ALL)) -> Command:
    """`argv` said by one to three rewrites drawn from `names`."""
    return rewrite(argv, [chance.choose(names) for _ in range(chance.choose(COUNTS))], chance)
