"""Attacks on the limit of /tmp."""

import os

from attack import attack, fill


@attack
def fill_tmp() -> str:
    """Write more into /tmp than it was promised."""
    return f"{fill('/tmp/heap', 24)} MiB kept"


@attack
def fill_shared_memory() -> str:
    """Write more into /dev/shm than it was promised."""
    return f"{fill('/dev/shm/heap', 24)} MiB kept"


@attack
def reserve_tmp() -> str:
    """Reserve more of /tmp than it was promised, without writing."""
    with open("/tmp/heap", "wb") as heap:
        os.posix_fallocate(heap.fileno(), 0, 24 << 20)
    return "24 MiB reserved"
