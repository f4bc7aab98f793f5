"""Reads in /proc/net which Unix sockets the host has."""

import errno
from pathlib import Path

from attack import attempt, refused, setting


def look() -> str:
    if setting("ABSTRACT_NAME") not in Path("/proc/net/unix").read_text():
        raise refused(errno.ENOENT)
    return "sees the host's socket"


attempt(look)
