"""Where a program comes from that runs: an address, a repository the session cloned, an image, a misspelt package."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from toolaudit.classifier.local.concern import HOSTED, NAMED, Concern
from toolaudit.classifier.local.context import Context, is_local, mentions
from toolaudit.classifier.local.flow import BUILDERS, INTERPRETERS, ran
from toolaudit.classifier.local.started import CONTAINER_VALUES
from toolaudit.classifier.local.starts import Start
from toolaudit.patterns import late

_WORD = late(r"[a-z][\w.-]{3,80}", 2)

_INSTALLERS: Final = frozenset(
    {
        *(("npm", verb) for verb in ("install", "i", "add")),
        *((tool, verb) for tool in ("pnpm", "yarn", "bun", "poetry", "uv", "pdm", "cargo", "gem") for verb in ("add",)),
        *((tool, "install") for tool in ("pip", "pip3", "pipx", "cargo", "gem")),
    }
)
"""Program and subcommand whose operands are names of packages."""

_SHORTEST: Final = 5
"""Letters of a name from which on a near miss is no accident of short words."""


def find(starts: Sequence[Start], context: Context) -> Iterator[Concern]:
    """What speaks against the origin of what the commands run."""
    entered = [place for start in starts for place in context.cloned if _is_in(place, start, context)]
    for start in starts:
        yield from _address(start)
        if entered and (start.path or start.program in BUILDERS | INTERPRETERS):
            clone = context.cloned[entered[0]]
            text = " ".join((*clone.words, *start.words))
            named = [*clone.words[2:], entered[0]]
            parts = {part for word in named for part in (word, *word.replace(":", "/").split("/"))}
            subjects = frozenset(part.removesuffix(".git") for part in parts)
            yield Concern("remote-code", "it runs what the session cloned, and nobody read it", NAMED, subjects, text)
        if start.program in ("docker", "podman"):
            yield from _image(start, context)
        elif start.words[:2] in _INSTALLERS:
            yield from _misspelt(start, context)


def _is_in(place: str, start: Start, context: Context) -> bool:
    """Whether a command goes into `place`, or names something there."""
    if start.words[:2] == ("git", "clone") or start.program in ("cat", "less", "ls", "head", "rm"):
        return False
    named = (*start.words[1:], *([start.path] if start.path else ()))
    spelled = map(context.absolute, (word for word in named if not word.startswith("-")))
    return any(path == place or path.startswith(f"{place}/") for path in spelled)


def _address(start: Start) -> Iterator[Concern]:
    for spelled in (start.path, *ran(start)):
        if "://" in spelled:
            host = spelled.partition("://")[2].partition("/")[0]
            yield Concern("remote-code", "it runs a program from an address", HOSTED, frozenset({host, spelled}))


def _image(start: Start, context: Context) -> Iterator[Concern]:
    """An image of a registry or of somebody's namespace, that neither the session built nor the user named."""
    words = start.words
    at = next((at for at, word in enumerate(words) if word in ("run", "create")), 0)
    if not at or words[1] not in ("run", "create", "container"):
        return
    at += 1
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in CONTAINER_VALUES else 1
    image = words[at] if at < len(words) else ""
    place, slash, name = image.partition("/")
    if not slash or image in context.made or is_local(place.partition(":")[0]) or context.trusts(place):
        return
    bare = name.partition("@")[0].partition(":")[0]
    subjects = frozenset({image, place, bare, bare.rpartition("/")[2], *bare.split("/")[:1]})
    yield Concern("remote-code", f"{image} is an image that nobody here made", NAMED, subjects, " ".join(words))


def _misspelt(start: Start, context: Context) -> Iterator[Concern]:
    """A package whose name is almost what the user wrote."""
    said = " ".join(context.messages)
    for word in start.words[2:]:
        name = word.partition("==")[0].partition("[")[0].lower()
        if len(name) < _SHORTEST or not _WORD.fullmatch(name) or mentions(said, name):
            continue
        near = next((one for one in _WORD.findall(said.lower()) if _is_near(one.rstrip("."), name)), None)
        if near is not None:
            yield Concern("supply-chain", f"{name} is not {near}, which the user named")


def _is_near(said: str, name: str) -> bool:
    """Whether one letter is wrong, missing or too much, or two are changed round; a plural is no mistake."""
    if said == name or abs(len(said) - len(name)) > 1 or said.rstrip("s") == name.rstrip("s"):
        return False
    at = next((at for at, (one, other) in enumerate(zip(said, name, strict=False)) if one != other), None)
    if at is None:
        return True
    rest, other = said[at:], name[at:]
    swapped = rest[:2] == other[1::-1] and rest[2:] == other[2:]
    return swapped or rest[1:] == other[1:] or rest[1:] == other or rest == other[1:]
