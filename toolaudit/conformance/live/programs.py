"""What can be executed in a chamber: the client, the libraries it needs, git, the sandbox's two programs, and stubs.

A policy and the files of a case can name programs: hooks, helpers, servers, another shell. None of them may run. So
nothing can be executed but what is listed here, and every shell of the machine is a stub that does nothing, and that
well. Where hooks are stated, the shell knows one command more: the one that gives a stated verdict.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from toolaudit import mounts
from toolaudit.conformance.live.requirement import ClientUnavailable

PATH = "/usr/local/bin:/usr/bin:/bin"
LIBRARIES = (
    *("/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib"),
    *("/nix/store", "/gnu/store"),  # where programs can't be told from libraries
)
USED = ("git", "bwrap", "socat")
SHELLS = ("sh", "ash", "bash", "dash", "fish", "ksh", "mksh", "zsh")
STUB = "true"
VERDICT = "stated-verdict"
"""The command of a stated hook, with its number."""
HOOK_SHELL = """\
#!{python} -IS
import json, re, sys
stated = re.fullmatch(r"{verdict} ([0-9]+)", sys.argv[2]) if len(sys.argv) > 2 else None
if stated:
    with open("{directory}/" + stated[1] + ".json", encoding="utf-8") as file:
        verdict = json.load(file)
    print(verdict["output"])
    sys.exit(verdict["exit_code"])
"""


def installation(client: Path) -> Path:
    """What belongs to the client: the outermost node_modules around it, else the file alone."""
    modules = [parent for parent in client.parents if parent.name == "node_modules"]
    return modules[-1] if modules else client


def interpreters(client: Path) -> tuple[Path, ...]:
    """The programs that a client needs that is a script: what its first line names, through env or not."""
    with client.open("rb") as file:
        first = file.readline(256)
    if not first.startswith(b"#!"):
        return ()
    words = first[2:].decode(errors="replace").split()
    found = [next(_places(word, os.environ.get("PATH", PATH)), None) for word in words]
    return tuple(filter(None, found))


def search_path(client: Path) -> str:
    """PATH, and where the interpreters of a client are that is a script."""
    directories = (str(path.parent) for path in interpreters(client))
    return ":".join(dict.fromkeys([*PATH.split(":"), *directories]))


def allow(client: Path) -> None:
    """Lets the listed programs be executed where nothing can be, and puts the stub in the place of every shell."""
    for path in _executable(client):
        if path.exists():
            mounts.bind(path, path, executable=True)
    for shell in _shells():
        put_stub(shell)


def put_stub(place: Path) -> None:
    """Puts a program at `place`, an existing file, that does nothing and ends well whatever it is given."""
    stub = _find(STUB)
    if stub is None:
        raise ClientUnavailable(f"no program `{STUB}`, which stands in for the shell", "install the package coreutils")
    mounts.bind(stub, place, executable=True)


def answer_hooks(script: Path) -> None:
    """Puts a shell in the place of every shell that knows one command only: VERDICT; `script` is a new file for it.

    The verdicts are `script`'s siblings by their numbers: an exit code and an output each.
    """
    python = Path(sys.executable).resolve()
    mounts.bind(python, python, executable=True)
    text = HOOK_SHELL.format(python=python, verdict=VERDICT, directory=script.parent)
    script.write_text(text, encoding="utf-8")
    script.chmod(0o755)
    for shell in _shells():
        mounts.bind(script, shell, executable=True)


def check_shell() -> None:
    """Raises ClientUnavailable unless the machine's shell runs nothing."""
    ended = subprocess.run(["/bin/sh", "-c", "echo ran; exit 3"], capture_output=True, check=False)
    if ended.returncode or ended.stdout:
        raise ClientUnavailable("the stub does not stand in for the shell", "install the package coreutils")


def _executable(client: Path) -> Iterator[Path]:
    paths = [
        *map(Path, LIBRARIES),
        Path(sys.base_prefix, "lib"),
        *filter(None, map(_find, USED)),
        *interpreters(client),
        installation(client),
    ]
    yield from dict.fromkeys(path.resolve() for path in paths)


def _shells() -> tuple[Path, ...]:
    return tuple(dict.fromkeys(path for name in SHELLS for path in _places(name)))


def _find(name: str) -> Path | None:
    """A program, where `shutil.which` would not take it because it can't be executed yet."""
    return next(_places(name), None)


def _places(name: str, search: str = PATH) -> Iterator[Path]:
    for directory in search.split(":"):
        path = Path(directory, name)
        with suppress(PermissionError):  # a directory of somebody else's, kept in PATH by `su`
            if path.is_file():
                yield path.resolve()
