"""Critical removals: the commands of a text that remove, wherever the client looks for them.

It sees `rm` and `rmdir` in any construct but a few, through wrappers, by base name, and in the script of a shell. It
does not see them where a word of the command is made of braces or escape codes, nor behind `sudo` unless a shell stands
between (measured).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from toolaudit.model import Mode, ReasonType
from toolaudit.model.versions import NEWEST, Difference, Version
from toolaudit.model.workspace import Workspace
from toolaudit.patterns import late
from toolaudit.permissions.bash.misreadings import misread
from toolaudit.permissions.bash.redirections import HARMLESS, WRITES
from toolaudit.permissions.bash.spellings import started
from toolaudit.permissions.bash.targets import Place, critical
from toolaudit.permissions.bash.values import expand, told
from toolaudit.permissions.judgement import Objection
from toolaudit.shell import Reading, SimpleCommand, Word, read
from toolaudit.shell.wrappers import OPAQUE, SEEN_BY_DENY, TRANSPARENT, Wrapper

PROGRAMS = frozenset({"rm", "rmdir"})
SHELLS = frozenset({"ash", "bash", "dash", "ksh", "mksh", "sh", "zsh"})
"""Shells whose script, given by `-c`, is looked into."""

VALUED_OPTIONS = frozenset({"--rcfile", "--init-file"})
"""Options of a shell that take the next word, besides those that end in `o` or `O`."""

STARTED_PLACES = frozenset({"builtin", "command", "coproc", "exec", "time"})
"""Prefixes: what one starts is listed with the prefix too, which stands for it."""

CLOSED_PLACES = STARTED_PLACES | {"case", "function"}
"""Constructs that are not looked into in the mode that asks for nothing else."""

CLOSED_FEATURES = frozenset({"ansi-c", "brace"})
"""What hides a whole command when one of its words holds it."""

_LOOKED_THROUGH: Mapping[str, Wrapper] = MappingProxyType(
    {name: wrapper for name, wrapper in TRANSPARENT.items() if name != "xargs"} | {"env": SEEN_BY_DENY["env"]}
)
_BEFORE_SHELLS: Mapping[str, Wrapper] = MappingProxyType(
    {**_LOOKED_THROUGH, **SEEN_BY_DENY, "busybox": Wrapper()}
    | {name: OPAQUE[name] for name in ("exec", "flock", "setsid", "watch")}
)
"""Wrappers behind which a shell is looked for."""

_UNSEEN_SCRIPTS = frozenset({"case", "function"})
_RM = late(r"\brm\b")
_RECURSIVE = late(r"-[A-Za-z]*[rR]|--recursive\Z")
_MAX_SHELL_DEPTH = 3
_MAX_WRAPPERS = 8


def find(
    reading: Reading, workspace: Workspace, version: Version = NEWEST, mode: Mode = Mode.BYPASS
) -> Objection | None:
    """The first critical removal in the text, or why none can be ruled out."""
    looks_inside = mode is not Mode.BYPASS and version.has(Difference.REMOVAL_SEEN_ANYWHERE)
    closed = STARTED_PLACES if looks_inside else CLOSED_PLACES
    for command, words, place in _removals(reading, 0, workspace, version, closed):
        for word in _targets(words):
            why = critical(word, place)
            if why is not None:
                piped = "pipeline" in command.context
                kind = ReasonType.SUBCOMMAND_RESULTS if piped else ReasonType.SAFETY_CHECK
                return Objection(f"{words[0].text} on {why}: {word.text}", kind, classifier_approvable=False)
    if looks_inside and version.has(Difference.MISREADINGS_ASK) and _hides_script(reading):
        why = "a shell's script in a construct that is not looked into, in a text with rm, can't be checked"
        return Objection(why, ReasonType.SAFETY_CHECK, classifier_approvable=False)
    if version.has(Difference.MISREADINGS_ASK) and misread(reading):
        why = "the shell may read this text in another way than it was parsed: a critical removal can't be ruled out"
        return Objection(why, ReasonType.SAFETY_CHECK, classifier_approvable=False)
    return None


def _hides_script(reading: Reading) -> bool:
    """Whether a function or a `case` gives a shell a script, where the text names `rm` at all (measured)."""
    inside = (one for one in reading.commands if one.argv and not _UNSEEN_SCRIPTS.isdisjoint(one.context))
    return _RM.search(reading.text) is not None and any(
        _script(_unwrapped(one.argv, _BEFORE_SHELLS), {}) is not None for one in inside
    )


def _removals(
    reading: Reading, depth: int, workspace: Workspace, version: Version, closed: frozenset[str]
) -> Iterator[tuple[SimpleCommand, Sequence[Word], Place]]:
    """The commands that remove, each with its words behind wrappers and what its targets are judged by."""
    values = told(reading, workspace)
    moved = False
    for command in reading.commands:
        if not command.argv or not closed.isdisjoint(command.context):
            continue
        words = _unwrapped(command.argv, _LOOKED_THROUGH)
        name = _base(words[0], values)
        if name in PROGRAMS:
            recursive = any(_RECURSIVE.match(word.value or "") for word in words[1:])
            if _is_seen(command, version):
                yield command, words, Place(workspace, version, recursive, moved, values)
        elif name in ("cd", "pushd", "popd"):
            moved = True
        elif depth < _MAX_SHELL_DEPTH and version.has(Difference.REMOVAL_IN_SCRIPT):
            script = _script(_unwrapped(command.argv, _BEFORE_SHELLS), values)
            if script is not None:
                yield from _removals(read(script), depth + 1, workspace, version, closed)


def unseen(reading: Reading, workspace: Workspace, version: Version) -> Iterator[SimpleCommand]:
    """Every command that removes something critical, whether the client looks for it or not."""
    values = told(reading, workspace)
    for command in every_command(reading, values):
        words: Sequence[Word] = command.argv
        while (start := started(words)) is not None:
            words = words[start:]
        if _base(words[0], values) in PROGRAMS:
            recursive = any(_RECURSIVE.match(word.value or "") for word in words[1:])
            place = Place(workspace, version, recursive, moved=False, values=values)
            if any(critical(word, place) for word in _targets(words) if "brace" not in word.features):
                yield command


def every_command(reading: Reading, values: Mapping[str, str], depth: int = 0) -> Iterator[SimpleCommand]:
    """The commands of a text, and of the scripts that it gives to shells."""
    for command in reading.commands:
        if not command.argv or command.context[-1:] == ("exec",):
            continue
        yield command
        script = _script(_unwrapped(command.argv, _BEFORE_SHELLS), values) if depth < _MAX_SHELL_DEPTH else None
        if script is not None:
            yield from every_command(read(script), values, depth + 1)


def _is_seen(command: SimpleCommand, version: Version) -> bool:
    """Whether the client sees the command; an older one did not in a subshell, or with a redirection to a file."""
    if any(not CLOSED_FEATURES.isdisjoint(word.features) for word in command.argv):
        return False
    if version.has(Difference.REMOVAL_SEEN_ANYWHERE):
        return True
    to_file = any(
        redirect.operator in WRITES and redirect.target.value not in HARMLESS for redirect in command.redirects
    )
    return not to_file and "subshell" not in command.context


def _unwrapped(words: Sequence[Word], wrappers: Mapping[str, Wrapper]) -> Sequence[Word]:
    for _ in range(_MAX_WRAPPERS):
        wrapper = wrappers.get(words[0].value or "")
        start = wrapper.start(words) if wrapper else None
        if start is None:
            break
        words = words[start:]
    return words


def _base(word: Word, values: Mapping[str, str]) -> str | None:
    """The name of a program without its path; a variable before the last slash does not matter."""
    text = word.value if word.value is not None else expand(word.text, values) or word.text
    base = text.rpartition("/")[2]
    return base if "$" not in base else None


def _script(words: Sequence[Word], values: Mapping[str, str]) -> str | None:
    """The script that a shell is given by `-c`: the first word behind it that is no option."""
    if _base(words[0], values) not in SHELLS:
        return None
    given = False
    at = 1
    while at < len(words):
        text = words[at].value
        if text is None or text[:1] not in ("-", "+") or (text == "--" and given):
            at += text == "--"
            break
        if text == "--":
            return None
        named = not text.startswith("--")
        given = given or (named and "c" in text)
        at += 2 if text in VALUED_OPTIONS or (named and text[-1:] in ("o", "O")) else 1
    if not given or at >= len(words):
        return None
    word = words[at]
    return word.value if word.value is not None else word.text.strip('"')


def _targets(words: Sequence[Word]) -> Iterator[Word]:
    options = True
    for word in words[1:]:
        if options and word.value == "--":
            options = False
        elif not (options and (word.value or "").startswith("-")):
            yield word
