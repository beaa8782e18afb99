"""The system calls behind sandboxes of our own, each of which raises OSError with what it was about."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

CLONE_NEWNS = 0x00020000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT, MS_BIND, MS_REC = 1, 2, 4, 8, 32, 4096, 1 << 14
MS_PRIVATE = 1 << 18
AT_FDCWD, AT_RECURSIVE = -100, 0x8000
READ_ONLY, NO_DEVICES, NO_EXECUTION = 1, 4, 8
"""Attributes of a mount, as mount_setattr has them."""
PR_SET_PDEATHSIG, PR_CAPBSET_DROP = 1, 24
_SYS_MOUNT_SETATTR = 442
"""The same number on every architecture."""
_INERT = MS_NOSUID | MS_NODEV | MS_NOEXEC


class _Attributes(ctypes.Structure):
    _fields_ = (
        ("set", ctypes.c_uint64),
        ("clear", ctypes.c_uint64),
        ("propagation", ctypes.c_uint64),
        ("user_namespace", ctypes.c_uint64),
    )


def libc() -> ctypes.CDLL:
    """The C library, which sets errno."""
    return ctypes.CDLL(None, use_errno=True)


def unshare(flags: int) -> None:
    """Enters new namespaces; a process namespace holds only the children made from here on."""
    _check(libc().unshare(flags), "make namespaces")


def freeze(*, executable: bool = False) -> None:
    """Makes every mount there is read-only and deaf to what is mounted elsewhere.

    Unless they stay `executable`, nothing can be executed from any of them; else no device in them can be opened.
    """
    forbidden = NO_DEVICES if executable else NO_EXECUTION
    _set_attributes("/", AT_RECURSIVE, _Attributes(READ_ONLY | forbidden, 0, MS_PRIVATE, 0))


def empty(place: str | Path, size: str, mode: str = "755") -> None:
    """A private writable directory over `place`, from which nothing can be executed."""
    _mount("tmpfs", place, "tmpfs", _INERT, f"size={size},mode={mode}")


def close(place: str | Path) -> None:
    """Makes a directory that `empty` made read-only."""
    _mount("tmpfs", place, "", MS_REMOUNT | MS_BIND | MS_RDONLY | _INERT)


def open_up(source: str | Path, place: str | Path, attribute: int) -> None:
    """Shows `source` at `place` too, without one of the attributes that `freeze` gave to everything."""
    _mount(str(source), place, "", MS_BIND | MS_REC)
    _set_attributes(place, AT_RECURSIVE, _Attributes(0, attribute, 0, 0))


def bind(source: str | Path, place: str | Path, *, executable: bool = False) -> None:
    """Shows `source` at `place` too, read-only; its programs and libraries can be executed or not."""
    _mount(str(source), place, "", MS_BIND | MS_REC)
    clear, forbidden = (NO_EXECUTION, 0) if executable else (0, NO_EXECUTION)
    _set_attributes(place, 0, _Attributes(READ_ONLY | forbidden, clear, 0, 0))


def mount_processes() -> None:
    """A `/proc` of this process namespace."""
    _mount("proc", "/proc", "proc", _INERT)


def _mount(source: str, place: str | Path, kind: str, flags: int, options: str = "") -> None:
    arguments = (os.fsencode(source), os.fsencode(place), kind.encode() or None, flags, options.encode() or None)
    _check(libc().mount(*arguments), f"mount {kind or source} on {place}")


def _set_attributes(place: str | Path, flags: int, attributes: _Attributes) -> None:
    size = ctypes.c_size_t(ctypes.sizeof(attributes))
    arguments = (AT_FDCWD, os.fsencode(place), flags, ctypes.byref(attributes), size)
    _check(libc().syscall(_SYS_MOUNT_SETATTR, *arguments), f"set what may be done at {place}")


def _check(result: int, step: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{step}: {os.strerror(number)}")
