"""Builds the place where the oracle's bash lives, then becomes that bash. Run as a script, by path, never imported.

    python jail.py BASH SHIM FILE...

Everything is in new namespaces: mounts, processes, network (no interface), IPC, host name. The root is a private tmpfs
that holds bash, the libraries it needs and three harmless devices, read-only; the one writable directory is a small
tmpfs that nothing can be executed or loaded from. bash runs without any capability, and where root starts it, as a user
number that nobody else has. Without CAP_SYS_ADMIN all this needs a user namespace too.

A step that fails is named on the standard error, and the exit status is 1.
"""

import ctypes
import os
import signal
import sys
import tempfile
from pathlib import Path

CLONE_NEWNS = 0x00020000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT, MS_BIND = 1, 2, 4, 8, 32, 4096
MS_REC, MS_PRIVATE = 1 << 14, 1 << 18
MNT_DETACH = 2
PR_SET_DUMPABLE = 4
SYS_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}

INSIDE_USER = 65534
FIRST_FOREIGN_USER = 0x40000000
"""Added to a process number: a user number that no account has and no second jail uses at the same time."""

DEVICES = ("null", "zero", "urandom")
START = """\
command_not_found_handle() { /programs/.not-found "$@"; }
readonly -f command_not_found_handle
unset BASH_ENV
"""
"""Names that bash does not find, because the script changed PATH, are started through this function."""

ENVIRONMENT = {
    "BASH_ENV": "/start",
    "HOME": "/work",
    "LC_ALL": "C.UTF-8",
    "LD_PRELOAD": "/shim.so",
    "PATH": "/programs",
    "TERM": "dumb",
}

libc = ctypes.CDLL(None, use_errno=True)


def check(result: int, step: str) -> None:
    if result != 0:
        raise OSError(ctypes.get_errno(), f"{step}: {os.strerror(ctypes.get_errno())}")


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    arguments = (source.encode(), target.encode(), kind.encode() or None, flags, options.encode() or None)
    check(libc.mount(*arguments), f"mount {kind or source} on {target}")


def separate(user: int, group: int) -> bool:
    """Enters the new namespaces; the process namespace holds only children forked from here on.

    Tells whether it took a user namespace, which is entered as `user` and `group`.
    """
    flags = CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWPID | CLONE_NEWNET
    if libc.unshare(flags) == 0:
        return False
    if os.geteuid() == 0:
        become(user, group)
        libc.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)  # else root owns the files in /proc/self that are written next
    check(libc.unshare(flags | CLONE_NEWUSER), "unshare namespaces")
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{INSIDE_USER} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{INSIDE_USER} {group} 1")
    return True


def furnish(root: Path, files: dict[str, bytes]) -> None:
    """Fills the new root and makes all of it but the working directory read-only."""
    mount("none", "/", "", MS_REC | MS_PRIVATE)
    mount("tmpfs", str(root), "tmpfs", MS_NOSUID | MS_NODEV, "size=32m,nr_inodes=256,mode=755")
    for directory in ("dev", "home", "proc", "tmp", "work"):
        (root / directory).mkdir()
    for path, content in files.items():
        target = root / path.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        target.chmod(0o755)
    for device in DEVICES:
        (root / "dev" / device).touch()
        mount(f"/dev/{device}", str(root / "dev" / device), "", MS_BIND)
    (root / "dev" / "fd").symlink_to("/proc/self/fd")
    for number, stream in enumerate(("stdin", "stdout", "stderr")):
        (root / "dev" / stream).symlink_to(f"/proc/self/fd/{number}")
    everything_off = MS_NOSUID | MS_NODEV | MS_NOEXEC
    mount("proc", str(root / "proc"), "proc", everything_off | MS_RDONLY, "subset=pid")
    mount("tmpfs", str(root / "work"), "tmpfs", everything_off, "size=8m,nr_inodes=512,mode=777")
    mount("tmpfs", str(root), "", MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV)


def move_into(root: Path) -> None:
    os.chdir(root)
    check(libc.syscall(SYS_PIVOT_ROOT[os.uname().machine], b".", b"."), "pivot_root")
    check(libc.umount2(b".", MNT_DETACH), "unmount the old root")
    os.chdir("/work")


def become(user: int, group: int) -> None:
    os.setgroups([])
    os.setresgid(group, group, group)
    os.setresuid(user, user, user)


def main(bash: str, shim: str, *files: str) -> int:
    Path("/proc/self/oom_score_adj").write_text("1000")
    contents = {file: Path(file).read_bytes() for file in files}
    contents |= {"/bin/bash": Path(bash).read_bytes(), "/shim.so": Path(shim).read_bytes(), "/start": START.encode()}
    by_root = os.geteuid() == 0
    foreign = FIRST_FOREIGN_USER + os.getpid()
    user, group = (foreign, foreign) if by_root else (os.geteuid(), os.getegid())
    in_user_namespace = separate(user, group)
    with tempfile.TemporaryDirectory() as root:
        server = os.fork()
        if server:
            return os.waitstatus_to_exitcode(os.waitpid(server, 0)[1])
        try:
            furnish(Path(root), contents)
            move_into(Path(root))
            if not in_user_namespace:
                become(user, group)
            # Python ignores the first two and handles the third; what bash inherits must be the default.
            for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT):
                signal.signal(number, signal.SIG_DFL)
            # INVARIANT: no user number is 0 here, so this clears every capability.
            os.execve("/bin/bash", ["bash", "-c", ":"], ENVIRONMENT)
        except OSError as error:
            os.write(2, f"{error}\n".encode())
        os._exit(1)


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except OSError as error:
        sys.exit(str(error))
