"""Reserves more of /tmp than it was promised, without writing."""

import os

from attack import attempt


def reserve() -> str:
    with open("/tmp/heap", "wb") as heap:
        os.posix_fallocate(heap.fileno(), 0, 24 << 20)
    return "24 MiB reserved"


attempt(reserve)
