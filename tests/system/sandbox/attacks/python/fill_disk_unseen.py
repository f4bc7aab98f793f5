"""Fills the disk of the host with files that have lost their names, as a build that may write its folder."""

import os
import time

from attack import attempt


def fill() -> str:
    heaps = []
    for _ in range(4):
        heap = open("/bot/heap", "wb")  # noqa: SIM115 - it stays open
        os.unlink("/bot/heap")
        heap.write(bytes(10 << 20))
        heap.flush()
        heaps.append(heap)
    time.sleep(2)
    return f"{10 * len(heaps)} MiB kept"


attempt(fill)
