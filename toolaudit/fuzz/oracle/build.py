from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
import tempfile
from pathlib import Path

from toolaudit.fuzz.oracle.requirement import OracleUnavailable

SOURCES = ("server.c", "preload.c")
HEADERS = ("arena.h",)
FLAGS = ("-shared", "-fPIC", "-O2", "-Wall")
_HERE = Path(__file__).parent


def compiler() -> str | None:
    """The C compiler: `$CC`, else the first of cc, gcc and clang on the path."""
    candidates = (os.environ.get("CC"), "cc", "gcc", "clang")
    return next((found for name in candidates if name and (found := shutil.which(name))), None)


def cache_directory() -> Path:
    """Where the compiled library is kept, as the XDG base directories have it."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "toolaudit"


def shim() -> Path:
    """The preloaded library, compiled on first use; its name carries a hash of its sources.

    Raises OracleUnavailable where there is no compiler, or it fails.
    """
    texts = [(_HERE / name).read_bytes() for name in (*SOURCES, *HEADERS)]
    digest = hashlib.sha256(b"\0".join([platform.machine().encode(), *texts])).hexdigest()[:16]
    built = cache_directory() / f"oracle-{digest}.so"
    if _is_ours(built):
        return built
    command = compiler()
    if command is None:
        raise OracleUnavailable("no C compiler", "install one, such as the package gcc or clang, or name it in $CC")
    built.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=built.parent) as scratch:
        fresh = Path(scratch) / built.name
        arguments = [command, *FLAGS, "-o", str(fresh), *(str(_HERE / name) for name in SOURCES), "-ldl"]
        result = subprocess.run(arguments, capture_output=True, text=True, check=False)
        if result.returncode != 0:
            raise OracleUnavailable(
                f"{command} can't compile the oracle's library: {result.stderr.strip()}",
                "install the C library's headers (libc6-dev, glibc-devel) and the kernel's (linux-libc-dev)",
            )
        fresh.rename(built)
    return built


def _is_ours(path: Path) -> bool:
    """What is preloaded must have been built by this user, or by root."""
    return path.is_file() and path.stat().st_uid in (os.geteuid(), 0)
