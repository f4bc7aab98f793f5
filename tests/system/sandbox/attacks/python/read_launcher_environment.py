"""Looks in the environment of its launcher for what the arena was started with."""

import errno
from pathlib import Path

from attack import attempt, refused


def look() -> str:
    for entry in Path("/proc/1/environ").read_text().split("\0"):
        if entry.startswith("ARENA_SENTINEL="):
            return entry.partition("=")[2]
    raise refused(errno.ENOENT)


attempt(look)
