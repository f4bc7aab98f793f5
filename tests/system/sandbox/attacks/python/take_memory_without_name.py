"""Takes more memory than it may have in a file that has no name, and that limits of a process do not count."""

import os

from attack import attempt


def take() -> str:
    heap = os.memfd_create("heap")
    for _ in range(192):
        os.write(heap, b"\1" * (1 << 20))
    return "192 MiB held"


attempt(take)
