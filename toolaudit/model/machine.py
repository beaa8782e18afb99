"""What an ordinary Linux machine has, for questions about paths that a description does not name."""

from __future__ import annotations

from typing import Final

_FILES = """
/etc/bash.bashrc /etc/fstab /etc/group /etc/gshadow /etc/hostname /etc/hosts /etc/os-release /etc/passwd /etc/profile
/etc/resolv.conf /etc/shadow /etc/shells /proc/cpuinfo /proc/meminfo /proc/self/environ /proc/version
/usr/bin/bash /usr/bin/cat /usr/bin/cp /usr/bin/env /usr/bin/git /usr/bin/ls /usr/bin/mv /usr/bin/python3 /usr/bin/rm
/usr/bin/sh
"""

_DIRECTORIES = """
/boot /dev/fd /dev/shm /etc/apt /etc/cron.d /etc/init.d /etc/profile.d /etc/ssh /etc/ssl /home /media /mnt /opt /proc
/root /run /srv /sys /tmp /usr/include /usr/lib /usr/local/bin /usr/local/lib /usr/local/share /usr/sbin /usr/share
/usr/src /var/cache /var/lib /var/log /var/spool /var/tmp
"""

_DEVICES = "/dev/full /dev/null /dev/random /dev/stderr /dev/stdin /dev/stdout /dev/tty /dev/urandom /dev/zero"

FILES: Final = frozenset(_FILES.split())
"""Regular files."""

TEXTS: Final = {"/etc/hostname": "machine\n"}
"""Regular file -> what stands in it, where that is much the same everywhere."""

DIRECTORIES: Final = frozenset(_DIRECTORIES.split())
"""Directories beyond those that hold one of `FILES`."""

DEVICES: Final = frozenset(_DEVICES.split())
"""What exists and is neither a regular file nor a directory."""

LINKS: Final = {"/bin": "usr/bin", "/lib": "usr/lib", "/sbin": "usr/sbin", "/var/run": "/run"}
"""Symbolic link -> target."""
