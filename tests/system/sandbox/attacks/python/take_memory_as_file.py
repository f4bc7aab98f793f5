"""Takes more memory than it may have as a file in /tmp that it is allowed to write."""

from attack import attempt


def take() -> str:
    with open("/tmp/heap", "wb") as heap:
        for _ in range(192):
            heap.write(bytes(1 << 20))
            heap.flush()
    return "192 MiB held"


attempt(take)
