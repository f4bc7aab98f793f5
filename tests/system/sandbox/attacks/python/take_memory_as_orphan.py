"""Takes more memory than it may have in a process that has left its parent."""

import os

from attack import attempt


def take() -> str:
    said = os.pipe()
    child = os.fork()
    if not child:
        os.setsid()
        if os.fork():
            os._exit(0)
        os.close(said[0])
        held = b"\1" * (192 << 20)
        os.write(said[1], held[:1])
        os._exit(0)
    os.close(said[1])
    os.waitpid(child, 0)
    if not os.read(said[0], 1):
        raise MemoryError
    return "192 MiB held"


def attack() -> str:
    try:
        return take()
    except MemoryError:
        raise OSError(12, os.strerror(12)) from None


attempt(attack)
