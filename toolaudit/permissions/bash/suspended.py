"""Allow rules that mode auto sets aside: those that would let a model start any program it likes.

A rule is suspended where some command it matches starts an interpreter, a wrapper or a package runner with a free hand.
Sources: documents, 9.5.4; the names and shapes measured, in auto and plan.
"""

from __future__ import annotations

from functools import lru_cache

from toolaudit.patterns import late
from toolaudit.rules.commands import compile_specifier

STARTERS = frozenset(
    """
    bash bunx busybox cmd command csh dash deno doas env eval exec fish flock ksh lua nice node nohup npx perl php pnpx
    powershell pwsh python ruby script setsid sh source ssh strace su sudo tcsh time timeout tsx unshare watch xargs zsh
    """.split()
)
"""Programs that run what their arguments say; a version may follow the name, as in `python3.11`."""

RUNNERS = frozenset(
    f"{manager} {verb}"
    for manager, verbs in (("npm", "run exec"), ("yarn", "run"), ("pnpm", "run exec"), ("bun", "run"))
    for verb in verbs.split()
)
"""Package managers' commands that start a script or a program by name."""

EARLIER = frozenset(
    """
        bash bunx deno env eval exec fish flock lua node npx perl php python python2 python3 ruby script setsid sh
        source ssh strace sudo timeout tsx unshare watch xargs zsh
        """.split()
) | {runner for runner in RUNNERS if runner.endswith(" run")}
"""All that an older client suspended, written as a rule for everything one of these does."""

LOOKED_THROUGH = late(r"(?:timeout \S+|nohup|nice(?: -n \S+)?|time|command|env|sudo|xargs) ")

_ASSIGNMENTS = late(r"(?:[A-Za-z_]\w*=\S* )+")
_VERSION = late(r"[\d.]*\Z")


@lru_cache(maxsize=4096)
def suspended(specifier: str, by_meaning: bool = True) -> bool:
    """Whether mode auto sets aside an allow rule with this specifier.

    `by_meaning` is false for an older client, which knew such rules by a list of how they are written.
    """
    pattern = compile_specifier(specifier)
    if not by_meaning:
        name, _, rest = pattern.parts[0].rstrip().partition(" ")
        all_of_it = name in EARLIER and (not rest or rest.startswith("-"))
        return pattern.parts[1:] == ("",) and (all_of_it or f"{name} {rest}" in EARLIER)
    if pattern.exact:
        return False
    prefix = _ASSIGNMENTS.sub("", pattern.parts[0], count=1)
    while (match := LOOKED_THROUGH.match(prefix)) and prefix[match.end() :]:
        prefix = prefix[match.end() :]
    program, blank, rest = prefix.partition(" ")
    name = program.rpartition("/")[2]
    if not blank:
        return any(starter.startswith(name) or _is_starter(name, starter) for starter in STARTERS)
    if any(_is_starter(name, starter) for starter in STARTERS):
        return rest == "" or rest.startswith("-")
    return f"{name} {rest.rstrip()}" in RUNNERS


def _is_starter(name: str, starter: str) -> bool:
    return name.startswith(starter) and _VERSION.match(name, len(starter)) is not None
