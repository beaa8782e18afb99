"""What a decision may need to know of a machine, and three sources of that knowledge: a disk, data, nothing."""

from __future__ import annotations

import os
import posixpath
import stat
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Final, Protocol

from toolaudit.model import machine
from toolaudit.structs import Struct

LINK_LIMIT: Final = 40
"""How many links a path may lead through before it counts as a loop, as in Linux."""

TEXT_LIMIT: Final = 1 << 20
"""A file with more bytes than this is not read to find out whether an edit would apply."""


class Workspace(Protocol):
    """What a decision may need to know of a machine. The resolver asks this and touches nothing itself.

    Paths are absolute and normalised, in questions and in answers. Compared by identity, so that what is compiled for a
    workspace can be cached by it.
    """

    @property
    def cwd(self) -> str:
        """The session's working directory."""

    @property
    def home(self) -> str:
        """The home directory."""

    @property
    def trusted(self) -> bool:
        """Whether the workspace's trust dialog was accepted."""

    def resolve(self, path: str) -> str:
        """`path` with every symbolic link in it followed, as far as the path exists."""

    def hops(self, path: str) -> tuple[str, ...]:
        """`path`, what it is after each link on the way, and last what it resolves to; `path` alone without links.

        Raises OSError where the links lead in a circle.
        """

    def is_file(self, path: str) -> bool | None:
        """Whether `path` is, or links to, a regular file; None: not known."""

    def is_dir(self, path: str) -> bool | None:
        """Whether `path` is, or links to, a directory; None: not known."""

    def exists(self, path: str) -> bool | None:
        """Whether `path` is, or links to, anything at all: a device or a socket too; None: not known."""

    def is_link(self, path: str) -> bool | None:
        """Whether the last segment of `path` is a symbolic link; None: not known."""

    def names(self, path: str) -> tuple[str, ...] | None:
        """What lies in the directory `path`, in order; nothing where it is none; None: not known."""

    def read_text(self, path: str) -> str | None:
        """The text of a regular file; None: not known, too long, or not UTF-8."""


def _walk(path: str, link: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """The hops of `path`, with `link` naming the target of each link, or with the disk when it is None."""
    hops = [path]
    done, rest = "", [part for part in path.split("/") if part][::-1]
    while rest:
        at = f"{done}/{rest.pop()}"
        target = _target(at) if link is None else link.get(at)
        if target is None:
            done = at
            continue
        if len(hops) > LINK_LIMIT:
            raise OSError(f"too many links on the way to {path}")
        start = posixpath.normpath(posixpath.join(done or "/", target))
        hops.append(posixpath.normpath(posixpath.join(start, *rest[::-1])))
        done, rest = "", rest + [part for part in start.split("/") if part][::-1]
    return tuple(dict.fromkeys(hops))


def _target(path: str) -> str | None:
    try:
        return os.readlink(path)
    except (OSError, ValueError):
        return None


class UnknownWorkspace(Struct, eq=False):
    """A machine of which only the names of its directories are known: no path is known to exist, or to be a link."""

    cwd: str = "/work/project"
    home: str = "/home/user"
    trusted: bool = True

    def resolve(self, path: str) -> str:
        return path

    def hops(self, path: str) -> tuple[str, ...]:
        return (path,)

    def is_file(self, path: str) -> bool | None:
        return None

    def is_dir(self, path: str) -> bool | None:
        return None

    def exists(self, path: str) -> bool | None:
        return None

    def is_link(self, path: str) -> bool | None:
        return None

    def names(self, path: str) -> tuple[str, ...] | None:
        return None

    def read_text(self, path: str) -> str | None:
        return None


class RealWorkspace(Struct, eq=False):
    """This machine, asked when a question comes up. Reads names, links and, for an edit, the text of one file."""

    cwd: str
    home: str
    trusted: bool = True

    def resolve(self, path: str) -> str:
        return os.path.realpath(path)

    def hops(self, path: str) -> tuple[str, ...]:
        return _walk(path)

    def is_file(self, path: str) -> bool | None:
        mode = _mode(path)
        return mode is not None and stat.S_ISREG(mode)

    def is_dir(self, path: str) -> bool | None:
        mode = _mode(path)
        return mode is not None and stat.S_ISDIR(mode)

    def exists(self, path: str) -> bool | None:
        return _mode(path) is not None

    def is_link(self, path: str) -> bool | None:
        return _target(path) is not None

    def names(self, path: str) -> tuple[str, ...] | None:
        try:
            return tuple(sorted(os.listdir(path)))
        except (FileNotFoundError, NotADirectoryError):
            return ()
        except (OSError, ValueError):
            return None

    def read_text(self, path: str) -> str | None:
        if not self.is_file(path):
            return None
        try:
            with open(path, "rb") as stream:
                data = stream.read(TEXT_LIMIT + 1)
            return data.decode() if len(data) <= TEXT_LIMIT else None
        except (OSError, UnicodeDecodeError):
            return None


def _mode(path: str) -> int | None:
    try:
        return os.stat(path).st_mode
    except (OSError, ValueError):
        return None


class DataWorkspace(Struct, eq=False, cached=True):
    """A machine described by data: these files and links, and besides them what an ordinary Linux machine has.

    A path that neither names does not exist.
    """

    cwd: str
    home: str
    files: Mapping[str, str]
    """Absolute path -> text."""
    links: Mapping[str, str]
    """Absolute path -> target, absolute or relative to where the link stands."""
    directories: frozenset[str] = frozenset()
    """Directories beyond those that hold a file, a link, the working directory or the home directory."""
    trusted: bool = True

    @classmethod
    def describe(
        cls,
        cwd: str,
        home: str,
        files: Mapping[str, str] | None = None,
        links: Mapping[str, str] | None = None,
        *,
        git: bool = False,
        trusted: bool = True,
    ) -> DataWorkspace:
        """Takes paths that may be relative to `cwd`; `git` makes `cwd` a repository."""

        def absolute(entries: Mapping[str, str] | None) -> dict[str, str]:
            return {posixpath.normpath(posixpath.join(cwd, path)): value for path, value in (entries or {}).items()}

        texts = absolute(files)
        if git:
            texts = {f"{cwd}/.git/HEAD": "ref: refs/heads/main\n", f"{cwd}/.git/config": "[core]\n", **texts}
        return cls(cwd, home, texts, absolute(links), trusted=trusted)

    @cached_property
    def _links(self) -> Mapping[str, str]:
        return {**machine.LINKS, **self.links}

    @cached_property
    def _directories(self) -> frozenset[str]:
        places = (*machine.FILES, *machine.DEVICES, *self.files, *self.links)
        whole = (self.cwd, self.home, *machine.DIRECTORIES, *self.directories)
        return frozenset(_ancestors(map(posixpath.dirname, places))) | frozenset(_ancestors(whole))

    def resolve(self, path: str) -> str:
        try:
            return self.hops(path)[-1]
        except OSError:
            return path

    def hops(self, path: str) -> tuple[str, ...]:
        return _walk(path, self._links)

    def is_file(self, path: str) -> bool | None:
        target = self.resolve(path)
        return target in self.files or target in machine.FILES

    def is_dir(self, path: str) -> bool | None:
        return self.resolve(path) in self._directories

    def exists(self, path: str) -> bool | None:
        target = self.resolve(path)
        return target in self.files or target in machine.FILES | machine.DEVICES or target in self._directories

    def is_link(self, path: str) -> bool | None:
        return posixpath.join(self.resolve(posixpath.dirname(path)), posixpath.basename(path)) in self._links

    def names(self, path: str) -> tuple[str, ...] | None:
        start = f"{self.resolve(path)}/"
        within = (one[len(start) :] for one in (*self.files, *self.links, *self.directories) if one.startswith(start))
        return tuple(sorted({one.partition("/")[0] for one in within}))

    def read_text(self, path: str) -> str | None:
        target = self.resolve(path)
        return self.files.get(target, machine.TEXTS.get(target))


def _ancestors(paths: Iterable[str]) -> Iterable[str]:
    for path in paths:
        while path not in ("", "/"):
            yield path
            path = posixpath.dirname(path)
    yield "/"
