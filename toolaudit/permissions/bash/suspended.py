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
    ash bash builtin bunx busybox cmd command csh dash deno doas env eval exec fish flock ksh lua mksh nice node
    noglob nohup npx perl php pkexec pnpx powershell pwsh python rbash rsh ruby runuser script setsid sh
    source ssh stdbuf strace su sudo tcsh time timeout tsx unshare watch wsl xargs zsh
    """.split()
)
"""Programs that run what their arguments say; a version may follow the name, as in `python3.11`."""

RUNNERS = frozenset(
    f"{manager} {verb}"
    for manager, verbs in (
        ("npm", "run exec x"),
        ("yarn", "run exec dlx"),
        ("pnpm", "run exec dlx"),
        ("bun", "run x"),
        ("deno", "eval"),
    )
    for verb in verbs.split()
)
"""Commands of package managers that start a script or a program by name."""

EVALUATING = frozenset({"deno eval"})
"""Those of them that a rule may spell out alone, as they do nothing then."""

PROMPTS = frozenset(
    "bash bunx deno env eval exec fish lua node npx perl php pnpx python ruby sh ssh sudo tsx zsh".split()
)
"""Programs that a rule may not even spell out alone; a version may follow the name."""

EARLIER = frozenset(
    """
        bash bunx deno env eval exec fish flock lua node npx perl php python python2 python3 ruby script setsid sh
        source ssh strace sudo timeout tsx unshare watch xargs zsh
        """.split()
) | {"bun run", "npm run", "pnpm run", "yarn run"}
"""All that an older client suspended, written as a rule for everything one of these does."""

LOOKED_THROUGH = late(
    r"(?:timeout \S+|nohup|nice(?: -n \S+)?|time|command|env|sudo|xargs|busybox|stdbuf -\S+|runuser -u \S+) (?!-)"
)

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
        name = pattern.parts[0].rpartition("/")[2]
        return pattern.parts[0] in RUNNERS - EVALUATING or any(_is_starter(name, prompt) for prompt in PROMPTS)
    prefix = _ASSIGNMENTS.sub("", pattern.parts[0], count=1)
    while match := LOOKED_THROUGH.match(prefix):
        if not prefix[match.end() :]:
            return True
        prefix = prefix[match.end() :]
    program, blank, rest = prefix.partition(" ")
    name = program.rpartition("/")[2]
    if not blank:
        return any(starter.startswith(name) or _is_starter(name, starter) for starter in STARTERS)
    if f"{name} {rest.rstrip()}" in RUNNERS:
        return True
    return any(_is_starter(name, starter) for starter in STARTERS) and (rest == "" or rest.startswith("-"))


def _is_starter(name: str, starter: str) -> bool:
    name = name.removesuffix(".exe")
    return name.startswith(starter) and _VERSION.match(name, len(starter)) is not None
