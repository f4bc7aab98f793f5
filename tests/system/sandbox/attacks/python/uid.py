"""Attacks on what belongs to the user of the arena."""

import os
from pathlib import Path

from attack import attack, read_from, setting


@attack
def read_private_file() -> str:
    """Read a file that is for the arena's own user alone."""
    return Path("/bot/private").read_text()


@attack
def connect_to_private_socket() -> str:
    """Connect to a socket that is for the arena's own user alone."""
    return str(read_from("/run/arena/private.sock"))


@attack
def be_the_arena() -> str:
    """Become the user that the arena runs as."""
    os.setuid(int(setting("ARENA_UID")))
    return "became the arena's user"


@attack
def change_kernel_setting() -> str:
    """Change one of the kernel's settings: one that only its own namespace has."""
    setting = Path("/proc/sys/kernel/domainname")
    setting.write_text("mine")
    return "is now " + setting.read_text().strip()
