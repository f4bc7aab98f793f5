"""Fills the disk of the host, as a build that may write its folder."""

import time

from attack import attempt


def fill() -> str:
    for number in range(40):
        with open(f"/bot/{number}.o", "wb") as heap:
            heap.write(bytes(1 << 20))
    time.sleep(2)
    return "40 MiB written"


attempt(fill)
