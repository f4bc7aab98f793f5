"""Writes more into /tmp than it was promised."""

from attack import attempt


def fill() -> str:
    with open("/tmp/heap", "wb") as heap:
        for _ in range(24):
            heap.write(bytes(1 << 20))
            heap.flush()
    return "24 MiB kept"


attempt(fill)
