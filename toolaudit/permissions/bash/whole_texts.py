"""How a whole command text may be spelled where a rule is compared with it: in lists, between pipes, unredirected."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from toolaudit.permissions.bash.redirections import WRITES
from toolaudit.permissions.bash.spellings import begins_with_redirect, spelled, without_quotes
from toolaudit.permissions.bash.writing import swallows
from toolaudit.rules.commands import collapse_blanks
from toolaudit.shell import Reading, SimpleCommand

LONGEST = 100_000
"""Characters of a text of which other spellings are made; the client parses no text of a tenth of that."""

_LISTED = frozenset({"list", "pipeline"})
_IN_THE_OPEN = frozenset({"list", "pipeline", "background", "negation"})


def whole_texts(text: str, reading: Reading) -> tuple[str, ...]:
    """The spellings of a whole command text that an exact rule may match: as written, and operators spaced evenly."""
    stripped = text.strip()
    if len(text) > LONGEST:
        return (stripped,)
    collapsed = collapse_blanks(text)
    lists = (spaced(stripped), *(listed for _, listed in lists_of(reading))) if "&&" in text or "||" in text else ()
    return tuple(dict.fromkeys((stripped, collapsed, *lists, *pipeline_texts(reading))))


def spaced(text: str) -> str:
    """`text`, without blanks at its ends, with one blank on each side of `&&` and `||`."""
    for operator in ("&&", "||"):
        if operator in text:
            text = f" {operator} ".join(map(str.strip, text.split(operator)))
    return text


def lists_of(reading: Reading) -> Iterator[tuple[tuple[SimpleCommand, ...], str]]:
    """The lists that stand between the pipes of a text: the commands of each, and its text without redirections.

    The client splits a text at its pipes first (measured). A list that begins with a redirection, or holds a
    here-document, is left out.
    """
    if "&&" not in reading.text and "||" not in reading.text:
        return
    source = reading.text.encode("utf-8", "surrogatepass")
    for group in between_pipes(reading, source):
        yield from _list(group, source)


def between_pipes(reading: Reading, source: bytes) -> Iterator[list[SimpleCommand]]:
    """The commands of a text, which is `source` in bytes, as the client splits it at its pipes before all else."""
    group: list[SimpleCommand] = []
    for command in reading.commands:
        if "command-substitution" in command.context:
            continue
        if group and source[group[-1].span[1] : command.span[0]].strip() in (b"|", b"|&"):
            yield group
            group = []
        group.append(command)
    yield group


def unredirected(reading: Reading) -> tuple[str, ...]:
    """The text from its first command to its last without redirections; none where one begins a command."""
    commands = reading.commands
    if not commands or any(command.argv and begins_with_redirect(command) for command in commands):
        return ()
    start, end = commands[0].span[0], max(command.span[1] for command in commands)
    spans = [redirect.span for command in commands for redirect in command.redirects]
    return (_without(reading.text.encode("utf-8", "surrogatepass")[start:end], spans, start),)


def without_output(reading: Reading) -> str | None:
    """A text without the redirections of output that stand in no construct; None where it has none (measured)."""
    spans = [
        redirect.span
        for command in reading.commands
        if len([place for place in command.context if place not in _IN_THE_OPEN]) <= (0 if command.argv else 1)
        for redirect in command.redirects
        if redirect.operator in WRITES
    ]
    if not spans or not reading.exact or any(map(swallows, reading.commands)):
        return None
    return _without(reading.text.encode("utf-8", "surrogatepass"), spans)


def _without(text: bytes, spans: Sequence[tuple[int, int]], start: int = 0) -> str:
    for first, last in sorted(spans, reverse=True):
        text = text[: first - start].rstrip() + b" " + text[last - start :].lstrip()
    return text.decode("utf-8", "surrogatepass").strip()


def _list(group: Sequence[SimpleCommand], source: bytes) -> Iterator[tuple[tuple[SimpleCommand, ...], str]]:
    places = [redirect for command in group for redirect in command.redirects]
    first = any(command.argv and command.redirects and begins_with_redirect(command) for command in group)
    if len(group) < 2 or first or not all(_LISTED.issuperset(command.context) for command in group):
        return
    if any(redirect.operator.startswith("<<") for redirect in places):
        return
    start, end = group[0].span[0], group[-1].span[1]
    yield tuple(group), spaced(_without(source[start:end], [redirect.span for redirect in places], start))


def pipeline_texts(reading: Reading) -> tuple[str, ...]:
    """The spellings of a text that is one pipeline, redirections left out; a rule with a star may match these."""
    stages = [command.argv for command in reading.commands if command.argv and command.context == ("pipeline",)]
    if len(stages) < 2 or len(stages) != len(reading.commands):
        return ()
    return " | ".join(map(without_quotes, stages)), " | ".join(map(spelled, stages))
