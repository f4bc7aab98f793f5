"""Takes more memory than it may have as shared memory, which counts for no single process."""

import mmap

from attack import attempt


def take() -> str:
    shared = mmap.mmap(-1, 192 << 20)
    for page in range(0, len(shared), mmap.PAGESIZE):
        shared[page] = 1
    return "192 MiB held"


attempt(take)
