"""What a rule matches, as a language of the texts that tell one call of a tool from another.

A space is one such text: the command of Bash, the path of Read, the host of WebFetch, the name of a server's tool, or
any other parameter. A rule has a reading in each space in which it says something.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple

from toolaudit.analysis import forms
from toolaudit.analysis.automaton import (
    ANY,
    EVERYTHING,
    FRESH,
    IN_LABEL,
    IN_SEGMENT,
    SLASH,
    Atom,
    Form,
    Item,
    Items,
    Kind,
    Language,
    UndecidedError,
    literal,
    loop,
    starred,
)
from toolaudit.model import Behavior, Rule
from toolaudit.patterns import late
from toolaudit.rules import domains, grammar, ignore
from toolaudit.rules.commands import CommandPattern, collapse_blanks, compile_specifier
from toolaudit.rules.paths import branches
from toolaudit.tools.schema import SCHEMAS


class Space(NamedTuple):
    """The texts that one parameter of one tool may have; `tool` is `mcp__*` for the names of servers' tools."""

    tool: str
    parameter: str


MCP: Final = Space("mcp__*", "name")

MAIN: Final = MappingProxyType(
    {
        "Bash": "command",
        "PowerShell": "command",
        "Read": "file_path",
        "Edit": "file_path",
        "WebFetch": "url",
        "Skill": "skill",
        "Agent": "subagent_type",
    }
)
"""Tool -> the parameter that its own specifier speaks of."""

_TEXT: Final[Form] = forms.Text()
_WORD: Final[Form] = forms.Command()
_NOTHING: Final[Form] = forms.Nothing()
_FORMS: Final[Mapping[str, Form]] = MappingProxyType(
    {"file_path": forms.PathName(), "url": forms.Host(), "name": forms.ServerTool()}
)
_NAMED: Final = frozenset({"Agent", "Skill"})
"""Tools whose specifier is a name, and no name looks like a parameter they have."""
_TOKEN: Final = late(
    r"(?P<dirs>\(\?:\[\^/\]\+/\)\*\?)|(?P<group>\(\?>|\))|(?P<loop>\[\^/\]\*\??)|(?P<some>\[\^/\]\+)|(?P<one>\[\^/\])"
    r"|(?P<set>\[(?:\\.|[^\]\\])*\])|\\(?P<escaped>.)|(?P<plain>.)",
    16,  # DOTALL
)
_ASCII: Final = tuple(map(chr, range(0x20, 0x7F)))
_SHORTHANDS: Final = frozenset("dDsSwW")


@dataclass(frozen=True, slots=True)
class Directories:
    """The absolute directories that path rules are read from."""

    cwd: str = "/work/project"
    home: str = "/home/user"
    further: tuple[str, ...] = ()
    """The working directories besides `cwd`."""


def form_of(space: Space) -> Form:
    """What the texts of a space look like."""
    if space.parameter == "":
        return _NOTHING
    if space != MCP and MAIN.get(space.tool) != space.parameter:
        return _TEXT
    return _FORMS.get(space.parameter, _WORD)


def main_space(tool: str) -> Space:
    """The space of a tool's own specifier; a tool without one has a space of a single, empty text."""
    return MCP if tool.startswith("mcp__") else Space(tool, MAIN.get(tool, ""))


class Same:
    """A rule as a key of a cache: compared by identity, which costs a tenth of comparing its texts."""

    __slots__ = ("rule",)

    def __init__(self, rule: Rule) -> None:
        self.rule = rule

    def __hash__(self) -> int:
        return id(self.rule)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and other.rule is self.rule


def readings(rule: Rule, directories: Directories) -> tuple[tuple[Space, Language], ...]:
    """The spaces in which a rule with a specifier says something, and what; takes rules in force.

    Raises UndecidedError for a form that no automaton here models.
    """
    return _readings(Same(rule), directories)


@lru_cache(maxsize=16_384)
def _readings(same: Same, directories: Directories) -> tuple[tuple[Space, Language], ...]:
    rule = same.rule
    wanted = grammar.parameter(rule)
    schema = SCHEMAS.get(rule.tool)
    known = wanted is not None and (schema is None or wanted[0] in {*schema.required, *schema.optional})
    found: list[tuple[Space, Language]] = []
    if rule.tool in MAIN and not (known and rule.tool in _NAMED):
        found.append((main_space(rule.tool), _main(rule, directories)))
    if wanted is not None and known:
        found.append((Space(rule.tool, wanted[0]), (starred(map(literal, wanted[1].split("*"))),)))
    return tuple(found)


def covering(rule: Rule, space: Space, directories: Directories) -> Language:
    """What `rule`, whatever it looks like, matches in `space`."""
    if rule.specifier is None:
        if space == MCP:
            return _names(rule)
        return EVERYTHING if grammar.governs(rule, space.tool) else ()
    if rule.tool != space.tool:
        return ()
    return tuple(items for place, language in readings(rule, directories) if place == space for items in language)


def _main(rule: Rule, directories: Directories) -> Language:
    pattern = pattern_of(rule)
    if pattern is not None:
        return _command(pattern)
    specifier = rule.specifier or ""
    match rule.tool:
        case "Read" | "Edit":
            return tuple(_paths(rule, directories))
        case "WebFetch":
            return _host(specifier.removeprefix(domains.PREFIX)) if specifier.startswith(domains.PREFIX) else ()
        case "Skill":
            name = specifier.removeprefix("/")
            return ((*literal(name[:-2]), *loop()),) if name.endswith((" *", ":*")) else (literal(name),)
        case _:
            # Only deny rules may name a type of agent (measured, see `permissions.agents`).
            return (literal(specifier),) if rule.behavior is Behavior.DENY else ()


def _command(pattern: CommandPattern) -> Language:
    stem = pattern.parts[0] if pattern.exact else pattern.parts[0][:-1]
    if (pattern.exact or pattern.prefix) and collapse_blanks(stem) != stem:
        # Nothing begins with such a prefix, for blanks are collapsed in commands and not in it. An exact rule covers
        # the one command that is written so, which is not of the form; see `containment`.
        return ()
    if pattern.exact:
        return (literal(stem),)
    whole = starred(map(literal, pattern.parts))
    return (literal(stem), whole) if pattern.optional_tail else (whole,)


def pattern_of(rule: Rule) -> CommandPattern | None:
    """The pattern of a rule for commands that has a specifier; None for any other rule."""
    if rule.specifier is None or rule.tool not in ("Bash", "PowerShell"):
        return None
    if rule.tool == "Bash":
        return compile_specifier(rule.specifier)
    from toolaudit.permissions.powershell.aliases import canonical_text

    return compile_specifier(canonical_text(rule.specifier.strip()))


def matches(pattern: CommandPattern, command: str) -> bool:
    """Whether a rule with this pattern covers a command; only exact rules look at how it is spaced."""
    return pattern.matches(command if pattern.exact else collapse_blanks(command))


def canonical_words(pattern: CommandPattern) -> tuple[str, ...]:
    """Words of which a pattern of commands has to match all in order to cover `pattern`; none for one without words."""
    if pattern.exact:
        return (pattern.parts[0],)
    stem = pattern.parts[0][:-1]
    if pattern.prefix and (not stem or collapse_blanks(stem) != stem):
        return ()
    whole = FRESH.join(pattern.parts)
    return (stem, whole) if pattern.optional_tail else (whole,)


def _host(pattern: str) -> Language:
    pattern = pattern.lower()
    if pattern == "*":
        return EVERYTHING
    below = "*" in pattern and pattern.startswith("*.")
    body = (pattern[2:] if below else pattern).removesuffix(".")
    pieces = [piece for index, piece in enumerate(body.split("*")) if piece or index in (0, body.count("*"))]
    items = starred(map(literal, pieces), IN_LABEL)
    return ((Item(Kind.ONE, ANY), *loop(), *literal("."), *items),) if below else (items,)


def _names(rule: Rule) -> Language:
    name = rule.tool
    if "*" in name:
        return (starred(map(literal, name.split("*"))),)
    if not name.startswith("mcp__"):
        return ()
    server = (*literal(f"{name}__"), *loop())
    if rule.behavior is Behavior.ALLOW:
        return (server,) if "__" not in name[5:] else (literal(name),)
    return literal(name), server


def _paths(rule: Rule, directories: Directories) -> Iterator[Items]:
    for branch in branches(rule, cwd=directories.cwd, home=directories.home, further=directories.further):
        if branch.negated:
            raise UndecidedError(f"{rule.text} re-admits paths, so its list is more than the sum of its rules")
        if branch.pattern.body == ignore.NOWHERE:
            continue
        if any("\ud800" <= one <= "\udfff" for one in branch.pattern.body):
            raise UndecidedError(f"{rule.text} has a character that the client takes for two")
        root = literal(branch.root if branch.root.endswith("/") else f"{branch.root}/")
        floating = (Item(Kind.SEGMENTS, ANY),) if branch.pattern.floating else ()
        body = _body(branch.pattern.body)
        if body is None:
            continue
        items = (*root, *floating, *body)
        if not branch.pattern.below:
            yield items
        yield (*items, Item(Kind.ONE, SLASH), *loop())


def _body(expression: str) -> Items | None:
    """The items of an expression made by `ignore.translate`, which knows no alternatives; None: it matches nothing."""
    if ignore.NOWHERE in expression:
        return None
    items: list[Item] = []
    for token in _TOKEN.finditer(expression):
        text = token[token.lastgroup or 0]
        match token.lastgroup:
            case "dirs":
                items.append(Item(Kind.SEGMENTS, ANY))
            case "loop":
                items.append(Item(Kind.LOOP, IN_SEGMENT))
            case "some":
                items += [Item(Kind.ONE, IN_SEGMENT), Item(Kind.LOOP, IN_SEGMENT)]
            case "one":
                items.append(Item(Kind.ONE, IN_SEGMENT))
            case "set":
                items.append(Item(Kind.ONE, _set(text)))
            case "escaped" if text in _SHORTHANDS:
                items.append(Item(Kind.ONE, _set(f"\\{text}")))
            case "escaped" | "plain":
                items.append(Item(Kind.ONE, _folded(text)))
    return tuple(items)


@lru_cache(maxsize=4096)
def _folded(character: str) -> Atom:
    """The characters that the path matcher takes for `character`, itself folded."""
    like = [one for one in dict.fromkeys((character.lower(), character)) if ignore.fold(one) == character]
    return Atom(frozenset(like), offered="".join(like))


@lru_cache(maxsize=4096)
def _set(expression: str) -> Atom:
    if not expression.isascii():
        raise UndecidedError(f"the character class {expression} goes beyond ASCII")
    pattern = late(expression, 16 | 256)  # DOTALL | ASCII, as PathRules compiles it
    members = [one for one in _ASCII if pattern.fullmatch(ignore.fold(one))]
    if pattern.fullmatch(FRESH):
        outside = frozenset(one for one in _ASCII if one not in members)
        return Atom(outside, negated=True, offered="".join(members))
    return Atom(frozenset(members), offered="".join(members))
