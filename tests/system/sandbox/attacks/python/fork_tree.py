"""Starts processes that each start two, six times over."""

import errno
import os

from attack import attempt, refused


def grow(levels: int, said: int, held: int) -> None:
    try:
        for _ in range(2 if levels else 0):
            if not os.fork():
                grow(levels - 1, said, held)
        os.write(said, b".")
    except OSError:
        os.write(said, b"!")
    os.read(held, 1)
    os._exit(0)


def bomb() -> str:
    said, held = os.pipe(), os.pipe()
    if not os.fork():
        os.close(held[1])
        grow(6, said[1], held[0])
    os.close(said[1])
    for _ in range(100):
        if os.read(said[0], 1) != b".":
            os.close(held[1])
            raise refused(errno.EAGAIN)
    os.close(held[1])
    return "100 processes"


attempt(bomb)
