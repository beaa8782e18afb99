"""Reading and writing regular files under names that nobody can swap meanwhile.

The permission layer decides about the place a path resolves to. Here that place is opened segment by segment, each one
relative to the directory before it and never through a symbolic link: what is read or written is what was decided
about, or the call fails.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from toolaudit.tools.interface import ToolError

READ_BYTES_MAX = 256 << 20
"""No file with more bytes than this is read into memory, whatever the tool allows."""

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW_DIRECTORY_MODE = 0o777
_NEW_FILE_MODE = 0o666


def read(path: str, most: int = READ_BYTES_MAX) -> tuple[bytes, float]:
    """The bytes of the regular file at a resolved path, and its modification time in seconds.

    Raises FileNotFoundError, IsADirectoryError, and ToolError where the path is something else, has more than `most`
    bytes, or can't be opened.
    """
    with _parent(path) as (parent, name), _opened(name, os.O_RDONLY | os.O_NONBLOCK, parent) as descriptor:
        state = os.fstat(descriptor)
        if stat.S_ISDIR(state.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
        if not stat.S_ISREG(state.st_mode):
            raise ToolError(f"{path} is no regular file.", "special_file")
        with os.fdopen(os.dup(descriptor), "rb") as stream:
            data = stream.read(most + 1)
    if len(data) > most:
        raise ToolError(f"{path} has more than {most} bytes.", "file_too_large")
    return data, state.st_mtime


def write(path: str, data: bytes) -> float:
    """Puts `data` at a resolved path in one step, keeping the mode of a file that is there; makes missing directories.

    Gives the new modification time in seconds. Raises IsADirectoryError, and ToolError where the path is something else
    or can't be written.
    """
    with _parent(path, create=True) as (parent, name):
        mode = _mode(name, parent)
        if mode is not None and stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
        if mode is not None and not stat.S_ISREG(mode):
            raise ToolError(f"{path} is no regular file.", "special_file")
        beside = f".{name[:100]}.{secrets.token_hex(8)}.tmp"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        try:
            with _opened(beside, flags, parent) as descriptor:
                with os.fdopen(os.dup(descriptor), "wb") as stream:
                    stream.write(data)
                if mode is not None:
                    os.fchmod(descriptor, stat.S_IMODE(mode))
                state = os.fstat(descriptor)
            os.rename(beside, name, src_dir_fd=parent, dst_dir_fd=parent)
        except BaseException:
            with suppress(FileNotFoundError):
                os.unlink(beside, dir_fd=parent)
            raise
    return state.st_mtime


def modified(path: str) -> float | None:
    """The modification time of a resolved path in seconds; None: nothing is there."""
    try:
        return os.lstat(path).st_mtime
    except (OSError, ValueError):
        return None


@contextmanager
def _parent(path: str, *, create: bool = False) -> Iterator[tuple[int, str]]:
    """The open directory that holds a resolved path, and the path's last segment."""
    *segments, name = [segment for segment in path.split("/") if segment] or ["."]
    current = os.open("/", _DIRECTORY)
    try:
        for segment in segments:
            if create:
                with suppress(FileExistsError), _worded(path):
                    os.mkdir(segment, _NEW_DIRECTORY_MODE, dir_fd=current)
            with _worded(path):
                below = os.open(segment, _DIRECTORY, dir_fd=current)
            os.close(current)
            current = below
        with _worded(path):
            yield current, name
    finally:
        os.close(current)


@contextmanager
def _opened(name: str, flags: int, parent: int) -> Iterator[int]:
    descriptor = os.open(name, flags | os.O_NOFOLLOW | os.O_CLOEXEC, _NEW_FILE_MODE, dir_fd=parent)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _mode(name: str, parent: int) -> int | None:
    try:
        return os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode
    except FileNotFoundError:
        return None


@contextmanager
def _worded(path: str) -> Iterator[None]:
    """Turns what can't be opened into words; that nothing is there, or a directory, is for the tool to tell."""
    try:
        yield
    except (FileNotFoundError, FileExistsError, IsADirectoryError):
        raise
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR):
            why = "a part of the path is a link or no directory"
        else:
            why = error.strerror or "it can't be opened"
        raise ToolError(f"{path}: {why}.", errno.errorcode.get(error.errno or 0, "unreadable")) from error
