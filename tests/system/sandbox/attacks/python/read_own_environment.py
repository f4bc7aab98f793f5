"""Looks in its environment for what the arena was started with."""

import errno
import os

from attack import attempt, refused


def look() -> str:
    if "ARENA_SENTINEL" not in os.environ:
        raise refused(errno.ENOENT)
    return os.environ["ARENA_SENTINEL"]


attempt(look)
