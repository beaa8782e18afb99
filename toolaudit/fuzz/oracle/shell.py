from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from toolaudit.fuzz.oracle.requirement import OracleUnavailable

LOCALE = Path("/usr/lib/locale/C.utf8")
_LIBRARY = re.compile(r"^\s+(?:\S+ => )?(/\S+) \(0x[0-9a-f]+\)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Bash:
    """The bash under test, and the files it needs to start in an otherwise empty root."""

    path: str
    files: tuple[str, ...]
    version: str


def find() -> Bash:
    """The system's bash with its libraries.

    Raises OracleUnavailable where there is none, or it can't be preloaded.
    """
    if sys.platform != "linux":
        raise OracleUnavailable("namespaces exist on Linux only", "run it in a Linux virtual machine")
    path = shutil.which("bash")
    if path is None:
        raise OracleUnavailable("no bash", "install the package bash")
    libraries = _LIBRARY.findall(_output([path], LD_TRACE_LOADED_OBJECTS="1"))
    if not any(Path(library).name.startswith("libc.so") for library in libraries):
        raise OracleUnavailable(
            f"{path} is not linked dynamically with glibc, so nothing can be preloaded",
            "install the distribution's ordinary bash package",
        )
    locale = sorted(str(file) for file in LOCALE.rglob("*") if file.is_file())
    version = _output([path, "--norc", "--noprofile", "-c", "echo $BASH_VERSION"])
    return Bash(path, (*libraries, *locale), version.strip())


def _output(command: list[str], **variables: str) -> str:
    environment = {"PATH": os.defpath, **variables}
    result = subprocess.run(
        command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=10, check=False
    )
    return result.stdout
