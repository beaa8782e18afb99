"""The programs a shell text starts, as far as its words say: behind wrappers, in scripts given by `-c`, elsewhere.

Built on the sound reader. What the reader can't tell is `unread`, and the starts are then a best effort.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, pairwise
from typing import Final

from toolaudit.patterns import late
from toolaudit.shell import Reading, SimpleCommand, Word, read
from toolaudit.shell.wrappers import OPAQUE, SEEN_BY_DENY, TRANSPARENT, Wrapper

_WRAPPERS: Final[Mapping[str, Wrapper]] = {**TRANSPARENT, **SEEN_BY_DENY, **OPAQUE}
SHELLS: Final = frozenset({"ash", "bash", "dash", "fish", "ksh", "pwsh", "sh", "zsh"})
_PREFIXES: Final = frozenset({"time", "command", "builtin", "exec", "coproc"})
_DEPTH: Final = 4
"""How many scripts inside scripts are read; what is deeper is unread."""

MOST_COMMANDS: Final = 500
"""Commands of one text that are looked at; a text with more counts as unread."""

_FUNCTION = late(r"(?:\A|[\n;&|(){}])[ \t]*(?:([A-Za-z_][\w-]*)[ \t]*\(\)|function[ \t]+([\w-]+))")
_VARIABLE = late(r"\$(?:(\w+)|\{(\w+)(?::?[-=][^}]*)?\})")
_COMPUTED: Final = (
    (late(r"\$\((?:git rev-parse --show-toplevel|pwd)\)|\$\{?PWD\}?"), "."),
    (late(r"\$\(mktemp[^()]*\)|\$\{?TMPDIR\}?"), "/tmp/made"),
    (late(r"\$\(dirname[^()]*\)"), "."),
    (late(r"\$\((?:date|git (?:rev-parse|describe|branch|merge-base))[^()]*\)"), "x"),
    (late(r"\$\((?:(?:grep|rg|fd|git grep|git ls-files|git diff) [^()$~`]*|find \.?[\w.]+[^()$~`]*)\)"), "x"),
    (late(r"\$[$!?#0-9]|\$\{?(?:RANDOM|SECONDS|UID)\}?"), "0"),
)
"""What variables and substitutions stand for, as far as it matters where that is."""
_PASSING: Final = frozenset(
    """
    arch aws-vault caffeinate cgexec chronic cross-env dbus-run-session doppler dotenv dotenvx envconsul faketime
    gtimeout infisical op rtk systemd-run unbuffer winpty wsl xvfb-run
    """.split()
)
"""Programs that start the command behind their options, or behind `--`."""
_OPERAND_FIRST: Final = frozenset({"aws-vault", "faketime", "gtimeout"})
_OUTPUTS: Final = frozenset(
    "-o --output --out --output-file --outfile --out-dir --outdir --output-dir --dest --dist".split()
)
"""Options that, by their name, say where something is put."""
_EXECUTES: Final = frozenset("-exec -execdir -ok -okdir -x -X --exec --exec-batch".split())
_SUBSHELLS: Final = frozenset({"subshell", "command-substitution", "process-substitution"})
_PIPE = late(r"[\s)}]*\|&?[\s({]*")
CONTAINER_VALUES: Final = frozenset(
    """
    -a -c -e -h -l -m -p -u -v -w --add-host --attach --cap-add --cap-drop --cidfile --cpus --cpuset-cpus --detach-keys
    --device --dns --entrypoint --env --env-file --expose --gpus --group-add --health-cmd --hostname --index --init-path
    --ip --ipc --label --link --log-driver --log-opt --mac-address --memory --mount --name --net --network --pid
    --platform --publish --pull --restart --runtime --security-opt --shm-size --stop-signal --sysctl --tmpfs --ulimit
    --user --userns --volume --volumes-from --workdir
    """.split()
)
"""Options by which a container is started or entered that take the next word."""
_CARRIERS: Final = {
    "ssh": frozenset("-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w".split()),
    "docker exec": CONTAINER_VALUES,
    "docker compose exec": CONTAINER_VALUES,
    "docker-compose exec": CONTAINER_VALUES,
    "docker run": CONTAINER_VALUES,
    "docker compose run": CONTAINER_VALUES,
    "docker-compose run": CONTAINER_VALUES,
    "podman exec": CONTAINER_VALUES,
    "podman run": CONTAINER_VALUES,
    "kubectl exec": frozenset("-n --namespace -c --container --context --kubeconfig".split()),
}
"""Program -> its options that take the next word; after them comes a place, and then a command that runs there."""
_CARRIED: Final = tuple(tuple(carrier.split()) for carrier in _CARRIERS)


_RUNNERS: Final = tuple(
    tuple(runner.split())
    for runner in (
        "npx",
        "pnpx",
        "bunx",
        "uvx",
        "npm exec",
        "npm x",
        "pnpm dlx",
        "pnpm exec",
        "yarn dlx",
        "yarn exec",
        "bundle exec",
        "hatch run",
        "pdm run",
        "pipenv run",
        "pipx run",
        "poetry run",
        "rye run",
        "uv run",
        "uv tool run",
    )
)
"""What starts a program of a package by its name."""
_FETCHING: Final = frozenset({"npx", "pnpx", "bunx", "uvx", "npm", "pnpm", "yarn", "pipx"})
"""Those of them that fetch the package first, perhaps of a version and a scope."""


@dataclass(frozen=True, slots=True)
class Start:
    """One program with its words."""

    words: tuple[str, ...]
    """The program's base name and its arguments; one that only run time knows stands as it is written."""
    path: str = ""
    """The program as it is spelled, where it is spelled with a folder."""
    unknown: frozenset[int] = frozenset()
    """The places of words that only run time knows."""
    redirects: tuple[tuple[str, str], ...] = ()
    """Operator and target."""
    assignments: tuple[tuple[str, str], ...] = ()
    via: tuple[str, ...] = ()
    """What starts it, outermost first: wrappers, shells, `ssh HOST`."""
    feeder: Start | None = None
    """The program whose output it reads."""
    fillers: tuple[Start, ...] = ()
    """The programs in substitutions among its words."""
    context: tuple[str, ...] = ()
    folder: str = ""
    """Where the text went by `cd` before it, as it is spelled; empty: nowhere."""

    @property
    def program(self) -> str:
        return self.words[0] if self.words else ""

    @property
    def feeders(self) -> Iterator[Start]:
        """All programs before it in its pipeline, nearest first."""
        at = self.feeder
        while at is not None:
            yield at
            at = at.feeder


@dataclass(frozen=True, slots=True)
class Text:
    """A shell text taken apart."""

    starts: tuple[Start, ...]
    values: Mapping[str, str]
    """Variables that the text itself sets, to what."""
    unread: str = ""
    """Why the reader can't say what runs; empty: it can."""
    functions: frozenset[str] = frozenset()
    """Names that the text itself defines."""


@lru_cache(maxsize=4096)
def take_apart(command: str, depth: int = 0) -> Text:
    """The programs that `command` starts."""
    reading = read(command)
    starts: list[Start] = []
    values: dict[str, str] = {}
    unread = _unread(reading)
    data = command.encode("utf-8", "surrogateescape")
    made: list[tuple[SimpleCommand, Start]] = []
    if len(reading.commands) > MOST_COMMANDS:
        unread = "too-many-commands"
    for simple in reading.commands[:MOST_COMMANDS]:
        for item in simple.assignments:
            if item.value is not None and not simple.argv:
                values[item.name] = item.value.value if item.value.value is not None else item.value.text
        if simple.context and simple.context[-1] in _PREFIXES:
            continue
        start = replace(_start(simple), feeder=_feeder(simple, made, data))
        made.append((simple, start))
    folders = _folders([start for _, start in made], values)
    for (simple, start), folder in zip(made, folders, strict=True):
        start = replace(start, folder=folder)
        inner = tuple(other for nested, other in made if _inside(nested, simple))
        for found, why in _followed(replace(start, fillers=inner), depth):
            starts.append(found)
            unread = unread or why
    return Text(tuple(starts), values, unread, frozenset(filter(None, chain(*_FUNCTION.findall(command)))))


def _folders(starts: Sequence[Start], values: Mapping[str, str]) -> Iterator[str]:
    """Where each of the starts runs; what a subshell enters it leaves with its end."""
    entered = [""]
    for start in starts:
        depth = sum(one in _SUBSHELLS for one in start.context)
        entered = [*entered[: depth + 1], *[entered[-1]] * (depth + 1 - len(entered))]
        yield entered[-1]
        if start.program in ("cd", "pushd"):
            place = next((word for word in start.words[1:] if not word.startswith("-")), "~")
            entered[-1] = posixpath.join(entered[-1], resolved(place, values))


def resolved(spelled: str, values: Mapping[str, str]) -> str:
    """A word with the variables filled in that the text itself sets, as far as that tells what it is."""
    if "$" not in spelled and "`" not in spelled:
        return spelled
    spelled = spelled.replace('"', "")
    for _ in range(_DEPTH):
        spelled = _VARIABLE.sub(lambda found: values.get(found[1] or found[2], found.group()).strip("\"'"), spelled)
    for pattern, place in _COMPUTED:
        spelled = pattern.sub(place, spelled)
    return spelled


def _unread(reading: Reading) -> str:
    problem = reading.complexity
    if problem is None:
        return ""
    loads = {"source", "."}
    if reading.exact and all(one.construct in loads for one in reading.evaluations):
        return ""  # a file that is named: it is looked at as a script that runs
    return problem.reason


def _start(simple: SimpleCommand) -> Start:
    words = tuple(_spelled(word) for word in simple.argv)
    path = words[0] if words and "/" in words[0] else ""
    if words:
        name = "((" if words[0].startswith("((") else words[0].rpartition("/")[2] or words[0]
        words = (name, *words[1:])
    return Start(
        words,
        path,
        frozenset(place for place, word in enumerate(simple.argv) if word.value is None),
        tuple((item.operator, _spelled(item.target)) for item in simple.redirects),
        tuple((item.name, _spelled(item.value) if item.value is not None else "") for item in simple.assignments),
        context=simple.context,
    )


def _spelled(word: Word) -> str:
    return word.value if word.value is not None else word.text


def _feeder(simple: SimpleCommand, made: Sequence[tuple[SimpleCommand, Start]], data: bytes) -> Start | None:
    for before, start in reversed(made):
        if before.span[1] <= simple.span[0]:
            between = data[before.span[1] : simple.span[0]].decode("utf-8", "replace")
            return start if _PIPE.fullmatch(between) else None
    return None


def _inside(inner: SimpleCommand, outer: SimpleCommand) -> bool:
    return inner is not outer and outer.span[0] < inner.span[0] and inner.span[1] <= outer.span[1]


def _followed(start: Start, depth: int) -> Iterator[tuple[Start, str]]:
    """`start` and what it starts in turn, each with why something in it is unread."""
    deep = depth >= _DEPTH and (_script(start) is not None or any(True for _ in _inner(start)))
    yield start, "too-deep" if deep else ""
    if depth >= _DEPTH:
        return
    for words, via in _inner(start):
        path, name = (words[0], words[0].rpartition("/")[2]) if "/" in words[0] else ("", words[0])
        if via[-1] in _FETCHING:
            path, name = path if "://" in path else "", _package(words[0])
        inner = replace(start, words=(name, *words[1:]), path=path, unknown=frozenset(), via=via)
        yield from _followed(inner, depth + 1)
    script = _script(start)
    if script is not None:
        text = take_apart(script, depth + 1)
        via = (*start.via, start.program)
        yield from ((replace(found, via=(*via, *found.via)), text.unread) for found in text.starts)


def _inner(start: Start) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The words of the commands that `start`'s own words name, each with its `via`."""
    words, name = start.words, start.program
    if name in _WRAPPERS:
        at = _WRAPPERS[name].start([_word(text) for text in words])
        if at is None and name == "xargs":
            at = _xargs(words)
        if at is not None:
            yield words[at:], (*start.via, name)
    elif name in ("find", "fd", "fdfind"):
        for at, word in enumerate(words):
            if word in _EXECUTES and at + 1 < len(words):
                end = next((i for i in range(at + 1, len(words)) if words[i] in (";", "+")), len(words))
                yield words[at + 1 : end], (*start.via, name)
    elif (name in _PASSING and (at := _passes(words)) is not None) or (at := _runs(words)) is not None:
        yield words[at:], (*start.via, name)
    elif name in ("docker", "docker-compose", "podman", "kubectl"):
        found = [(len(prefix), at, prefix) for prefix in _CARRIED if (at := _after(words, prefix)) is not None]
        if found:
            _, at, prefix = max(found)
            if rest := _carried(words, at, _CARRIERS[" ".join(prefix)]):
                yield rest, (*start.via, " ".join(prefix))


def _passes(words: Sequence[str]) -> int | None:
    """Where the command begins that a program only passes on: after `--`, or else after its options."""
    if "--" in words:
        at = words.index("--") + 1
    else:
        at = next((at for at, word in enumerate(words) if at and not word.startswith("-") and "=" not in word), 0)
        at += words[0] in _OPERAND_FIRST
    return at if 0 < at < len(words) else None


def _package(spelled: str) -> str:
    """The name of a package without its version; a scope is written `@scope:name`, as in the tables."""
    scope, slash, name = spelled.rpartition("/")
    name = name.partition("@")[0] if name[:1] != "@" else name
    return f"{scope}:{name}" if slash and scope.startswith("@") else name


def _runs(words: Sequence[str]) -> int | None:
    """Where the program begins that a package's tool starts by name, as `npx` and `poetry run` do."""
    if words and words[0].rstrip("0123456789.") == "python":
        module = next((at for at, word in enumerate(words) if word == "-m" or (not word.startswith("-") and at)), None)
        return module + 1 if module and words[module] == "-m" and module + 1 < len(words) else None
    for runner in _RUNNERS:
        if tuple(words[: len(runner)]) == runner:
            at = len(runner)
            while at < len(words) and words[at].startswith("-"):
                at += 2 if words[at] in ("-p", "--package", "--with", "--from") else 1
            return at if at < len(words) else None
    return None


def _xargs(words: Sequence[str]) -> int | None:
    at = 1
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in ("-I", "-n", "-P", "-L", "-d", "-a", "-s", "-E") else 1
    return at if at < len(words) else None


def _word(text: str) -> Word:
    from toolaudit.shell import Shape

    return Word(text, Shape.STATIC, text, (0, 0))


def _after(words: Sequence[str], prefix: Sequence[str]) -> int | None:
    """The place after the words of `prefix`, options and their values left aside."""
    wanted = list(prefix)
    for at, word in enumerate(words):
        if word == wanted[0]:
            wanted.pop(0)
            if not wanted:
                return at + 1
    return None


def _carried(words: Sequence[str], at: int, valued: frozenset[str]) -> tuple[str, ...]:
    """What runs at the place that stands after the options from `at` on."""
    placed = False
    while at < len(words):
        word = words[at]
        if word == "--":
            return tuple(words[at + 1 :])
        if word.startswith("-"):
            at += 2 if word in valued else 1
        elif not placed:
            placed = True
            at += 1
        else:
            return tuple(words[at:])
    return ()


def _script(start: Start) -> str | None:
    """The shell text that `start` runs: given by `-c`, or to be run by `ssh` elsewhere."""
    words = start.words
    if start.program in SHELLS or start.program in ("su", "script"):
        for at, word in enumerate(words[1:-1], start=1):
            if word.startswith("-") and not word.startswith("--") and word.endswith("c"):
                return words[at + 1] if at + 1 not in start.unknown else None
    if start.program == "env":
        for at, word in enumerate(words[1:], start=1):
            if word in ("-S", "--split-string") and at + 1 < len(words):
                return " ".join(words[at + 1 :])
            if word.startswith(("-S", "--split-string=")) and len(word) > 2:
                return " ".join((word.removeprefix("--split-string=").removeprefix("-S"), *words[at + 1 :]))
    if start.program in ("tmux", "screen") and " " in words[-1]:
        return words[-1]
    if start.program == "trap":
        return words[1] if len(words) > 2 and not words[1].startswith("-") else None
    if start.program == "ssh":
        rest = _carried(words, 1, _CARRIERS["ssh"])
        return " ".join(rest) if rest else None
    return None


def outputs(start: Start) -> Iterator[str]:
    """The values of options that, by their name, say where something is put."""
    for before, word in pairwise(start.words):
        name, equals, value = word.partition("=")
        if before in _OUTPUTS:
            yield word
        elif equals and name in _OUTPUTS:
            yield value
