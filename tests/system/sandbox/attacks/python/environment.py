"""Attacks on what is in environments."""

import errno
import os
from pathlib import Path

from attack import attack, refused


@attack
def read_own_environment() -> str:
    """Look in its environment for what the arena was started with."""
    if "ARENA_SENTINEL" not in os.environ:
        raise refused(errno.ENOENT)
    return os.environ["ARENA_SENTINEL"]


@attack
def read_launcher_environment() -> str:
    """Look in the environment of its launcher for what the arena was started with."""
    for entry in Path("/proc/1/environ").read_text().split("\0"):
        if entry.startswith("ARENA_SENTINEL="):
            return entry.partition("=")[2]
    raise refused(errno.ENOENT)


@attack
def use_inherited_file() -> str:
    """Read from every descriptor that was open when it started."""
    for descriptor in range(3, 256):
        try:
            said = os.pread(descriptor, 100, 0)
        except OSError:
            continue
        if said.startswith(b"inherited"):
            return said.decode()
    raise refused(errno.EBADF)
