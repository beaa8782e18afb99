"""The namespaces a client is asked in.

Inside there is a loopback interface and no other, only the processes started inside, a private `/tmp`, `/var/tmp`,
`/dev/shm` and `/etc/claude-code`, an empty home directory of the user, no `/run/user` (where agents and keyrings
listen), and everything else is read-only; next to nothing can be executed (see `programs`). Root enters as root without
the capabilities that could undo this; any other user gets a user namespace and stays the same user, without
capabilities.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import os
import pwd
import shutil
import signal
import socket
import struct
import sys
from collections.abc import Iterable
from pathlib import Path

from toolaudit import mounts
from toolaudit.conformance.live import programs
from toolaudit.conformance.live.requirement import ClientUnavailable

SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1
_INTERFACE_REQUEST = struct.Struct("16sH14x")
"""An ifreq that carries flags."""

MANAGED = Path("/etc/claude-code")
"""Where the client looks for managed settings."""
PRIVATE = ("/tmp", "/var/tmp", "/dev/shm")
SHUT = ("/run/user",)
"""Hidden besides the home directories."""
READ_ONLY_PROC = ("/proc/sys", "/proc/sysrq-trigger")
"""Root could change the kernel's settings there without any capability. Costs: no nested bubblewrap gets a /proc."""

KEPT_CAPABILITIES = frozenset({0, 1, 2, 3, 4, 5, 6, 7, 8, 31})
"""What root keeps: its ways around file permissions, kill, setuid, setgid, setpcap, and setfcap, without which it could
make no user namespace for the sandbox of the client. Mounts need number 21."""
CAPABILITY_LAST = 63

NAMESPACE_REMEDY = (
    "run it as root with CAP_SYS_ADMIN, or allow unprivileged user namespaces (sysctl "
    "kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0, user.max_user_namespaces "
    "above 0); in a container, start it privileged"
)


def check_system() -> None:
    """Raises ClientUnavailable where this can't be a system with namespaces; the kernel has the last word later."""
    if sys.platform != "linux":
        raise ClientUnavailable("namespaces exist on Linux only", "run it in a Linux virtual machine")
    if shutil.which("git", path=programs.PATH) is None:
        raise ClientUnavailable("no git", "install the package git: working directories of cases are repositories")


def enter(client: Path) -> None:
    """Moves into new namespaces; the calling process waits outside for its child, which alone returns.

    Raises ClientUnavailable, in whichever of the two processes met the obstacle.
    """
    user, group = os.geteuid(), os.getegid()
    by_root = _separate(user, group)
    inside = os.fork()
    if inside:
        _, status = os.waitpid(inside, 0)
        os._exit(os.waitstatus_to_exitcode(status) & 0xFF)
    end_with_parent()
    try:
        _raise_loopback()
        _furnish(client)
        if by_root:
            _give_up_power()
    except OSError as error:
        raise ClientUnavailable(f"a part of it failed ({error})", NAMESPACE_REMEDY) from error


def end_with_parent() -> None:
    """Has the kernel kill this process when the thread that started it ends."""
    mounts.libc().prctl(mounts.PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def needed(client: Path) -> tuple[Path, ...]:
    """What must stay visible even below a hidden directory: the client, what it is interpreted by, and Python."""
    interpreters = [_with_its_libraries(path) for path in programs.interpreters(client)]
    return tuple(dict.fromkeys([programs.installation(client), *interpreters, Path(sys.prefix), Path(sys.base_prefix)]))


def _with_its_libraries(program: Path) -> Path:
    """The directory above the program's own, unless that would show what is to be hidden."""
    around = program.parents[1]
    covered = (*hidden(), *map(Path, PRIVATE))
    return program if any(path.is_relative_to(around) for path in covered) else around


def hidden() -> tuple[Path, ...]:
    """The home directories of the user, by the account and by the environment, and where agents listen."""
    homes = [os.environ.get("HOME", "")]
    with contextlib.suppress(KeyError):  # a user number without an account, as in containers: there is only $HOME
        homes.append(pwd.getpwuid(os.geteuid()).pw_dir)
    real = {Path(home).resolve() for home in homes if home.startswith("/")} | {Path(path) for path in SHUT}
    return tuple(sorted(path for path in real if path != Path("/")))


def _is_private(path: Path) -> bool:
    return any(path.is_relative_to(directory) for directory in PRIVATE)


def _separate(user: int, group: int) -> bool:
    """Enters the new namespaces, and tells whether that was done as root; else there is a user namespace too."""
    flags = mounts.CLONE_NEWNS | mounts.CLONE_NEWPID | mounts.CLONE_NEWNET | mounts.CLONE_NEWIPC
    if mounts.libc().unshare(flags) == 0:
        return True
    if mounts.libc().unshare(flags | mounts.CLONE_NEWUSER) != 0:
        why = os.strerror(ctypes.get_errno()).lower()
        raise ClientUnavailable(f"the kernel gives no namespaces ({why})", NAMESPACE_REMEDY)
    try:
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
    except OSError as error:
        raise ClientUnavailable(f"the user namespace can't be set up ({error})", NAMESPACE_REMEDY) from error
    return False


def _raise_loopback() -> None:
    flags = _interface_flags("lo")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, _INTERFACE_REQUEST.pack(b"lo", flags | IFF_UP))


def _interface_flags(name: str) -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        answer = fcntl.ioctl(any_socket, SIOCGIFFLAGS, _INTERFACE_REQUEST.pack(name.encode(), 0))
    return int(_INTERFACE_REQUEST.unpack(answer)[1])


def _furnish(client: Path) -> None:
    # Opened before anything is covered: a mount can be made from an open directory wherever it was.
    kept = {path: os.open(path, os.O_PATH | os.O_CLOEXEC) for path in needed(client)}
    _freeze()
    for directory in PRIVATE:
        if Path(directory).is_dir():
            mounts.empty(directory, "512m", "1777")
    closed = [path for path in hidden() if path.is_dir()]
    for path in closed:
        mounts.empty(path, "1m")
    for path, opened in kept.items():
        if _is_private(path) or any(path.is_relative_to(directory) for directory in closed):
            _show(path, opened)
        os.close(opened)
    for path in closed:
        mounts.close(path)
    _give_managed_settings_a_place()
    mounts.mount_processes()
    programs.allow(client)


def _give_up_power() -> None:
    """Takes from root what it could undo the isolation with: programs started from here on get no such capability."""
    for part in READ_ONLY_PROC:
        if Path(part).exists():
            mounts.bind(part, part)
    for capability in set(range(CAPABILITY_LAST + 1)) - KEPT_CAPABILITIES:
        mounts.libc().prctl(
            mounts.PR_CAPBSET_DROP, capability, 0, 0, 0
        )  # numbers that the kernel has not got fail, harmlessly


def _freeze() -> None:
    try:
        mounts.freeze()
    except OSError as error:
        if error.errno != errno.ENOSYS:
            raise
        raise ClientUnavailable(
            "this kernel can't make all mounts read-only at once", "use Linux 5.12 or later"
        ) from None


def _show(path: Path, opened: int) -> None:
    if Path(f"/proc/self/fd/{opened}").is_dir():
        path.mkdir(parents=True, exist_ok=True)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    mounts.bind(f"/proc/self/fd/{opened}", path)


def _give_managed_settings_a_place() -> None:
    """A private MANAGED; where the machine has none, in a private copy of its parent made of binds."""
    if not MANAGED.is_dir():
        parent = MANAGED.parent
        opened = os.open(parent, os.O_PATH | os.O_CLOEXEC)
        entries = [(entry.name, _target(entry), entry.is_dir()) for entry in os.scandir(parent)]
        mounts.empty(parent, "1m")
        _copy_by_binds(opened, parent, entries)
        os.close(opened)
        MANAGED.mkdir()
        mounts.close(parent)
    mounts.empty(MANAGED, "16m")


def _target(entry: os.DirEntry[str]) -> str | None:
    return str(Path(entry).readlink()) if entry.is_symlink() else None


def _copy_by_binds(opened: int, place: Path, entries: Iterable[tuple[str, str | None, bool]]) -> None:
    for name, target, is_directory in entries:
        if target is not None:
            (place / name).symlink_to(target)
            continue
        if is_directory:
            (place / name).mkdir()
        else:
            (place / name).touch()
        mounts.bind(f"/proc/self/fd/{opened}/{name}", place / name)


def self_test() -> None:
    """Raises ClientUnavailable unless the calling process is where `enter` should have brought it."""
    interfaces = {name for _, name in socket.if_nameindex() if _interface_flags(name) & IFF_UP}
    closed = [Path("/"), Path("/usr"), Path("/etc"), *hidden()]
    writable = [str(path) for path in closed if os.access(path, os.W_OK) and not _is_private(path)]
    if interfaces != {"lo"} or writable:
        raise ClientUnavailable(
            f"the chamber is not closed (interfaces {sorted(interfaces)}, writable {writable})", NAMESPACE_REMEDY
        )
    programs.check_shell()
