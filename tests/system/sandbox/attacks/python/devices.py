"""Attacks by devices."""

import errno
import os
from pathlib import Path

from attack import attack, refused, setting


@attack
def read_shared_memory_file() -> str:
    """Read a file that another program has put into /dev/shm."""
    return Path("/dev/shm", setting("SHM_FILE")).read_text()


HARMLESS = {
    *("null", "zero", "full", "random", "urandom", "tty", "console", "core"),
    *("fd", "stdin", "stdout", "stderr", "ptmx", "pts", "shm"),
}


@attack
def find_disks() -> str:
    """Look in /dev for the machine's disks and for other devices that no program needs."""
    more = set(os.listdir("/dev")) - HARMLESS
    if not more:
        raise refused(errno.ENOENT)
    return "devices, " + " ".join(sorted(more))


@attack
def find_terminal() -> str:
    """Look in /dev/pts for the terminals that people are logged in at."""
    if setting("TERMINAL") not in os.listdir("/dev/pts"):
        raise refused(errno.ENOENT)
    return "terminal seen"


@attack
def open_terminals() -> str:
    """Open new terminals, of which the machine has a number for all its programs together."""
    terminals = [os.open("/dev/ptmx", os.O_RDWR | os.O_NOCTTY) for _ in range(8)]
    return f"{len(terminals)} terminals opened"
