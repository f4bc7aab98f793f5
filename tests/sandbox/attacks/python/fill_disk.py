"""Fills the disk of the host, as a build that may write its folder."""

from attack import attempt


def fill() -> str:
    for number in range(40):
        with open(f"/bot/{number}.o", "wb") as heap:
            heap.write(bytes(1 << 20))
    return "40 MiB written"


attempt(fill)
