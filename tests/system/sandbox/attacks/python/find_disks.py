"""Looks in /dev for the machine's disks and for other devices that no program needs."""

import errno
import os

from attack import attempt, refused

HARMLESS = {
    *("null", "zero", "full", "random", "urandom", "tty", "console", "core"),
    *("fd", "stdin", "stdout", "stderr", "ptmx", "pts", "shm"),
}


def look() -> str:
    more = set(os.listdir("/dev")) - HARMLESS
    if not more:
        raise refused(errno.ENOENT)
    return "devices, " + " ".join(sorted(more))


attempt(look)
