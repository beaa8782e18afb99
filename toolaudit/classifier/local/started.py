"""What the words of a program say that it starts in turn: behind wrappers, in scripts given by `-c`, elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from toolaudit.shell import Shape, Word
from toolaudit.shell.wrappers import OPAQUE, SEEN_BY_DENY, TRANSPARENT, Wrapper

if TYPE_CHECKING:
    from toolaudit.classifier.local.starts import Start

_WRAPPERS: Final[Mapping[str, Wrapper]] = {**TRANSPARENT, **SEEN_BY_DENY, **OPAQUE}
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
        "bun x",
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
FETCHING: Final = frozenset({"npx", "pnpx", "bunx", "uvx", "npm", "pnpm", "yarn", "pipx"})
"""Those of them that fetch the package first, perhaps of a version and a scope."""
_PASSING: Final = frozenset(
    """
    arch aws-vault caffeinate cgexec chronic cross-env dbus-run-session doppler dotenv dotenvx envconsul faketime
    gtimeout infisical op rtk systemd-run unbuffer winpty wsl xvfb-run
    """.split()
)
"""Programs that start the command behind their options, or behind `--`."""
_OPERAND_FIRST: Final = frozenset({"aws-vault", "faketime", "gtimeout"})
_EXECUTES: Final = frozenset("-exec -execdir -ok -okdir -x -X --exec --exec-batch".split())
SHELLS: Final = frozenset({"ash", "bash", "dash", "fish", "ksh", "pwsh", "sh", "zsh"})


def started_by(start: Start) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
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
    elif name == "corepack" and words[1:2] in (("npm",), ("pnpm",), ("yarn",)):
        yield words[1:], (*start.via, name)
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


def package(spelled: str) -> str:
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


def script_of(start: Start) -> str | None:
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
