"""Attacks on the limit of processes."""

import errno
import os
import signal
import sys
import threading

from attack import attack, program, refused, start_sleeper


@attack
def fork_bomb() -> str:
    """Start processes until it is refused one."""
    children: list[int] = []
    try:
        while len(children) < 80:
            children.append(start_sleeper())
    finally:
        for child in children:
            os.kill(child, signal.SIGKILL)
    return f"{len(children)} processes"


@attack
def thread_bomb() -> str:
    """Start threads until it is refused one."""
    end = threading.Event()
    started = 0
    try:
        while started < 80:
            threading.Thread(target=end.wait).start()
            started += 1
    except RuntimeError:
        raise refused(errno.EAGAIN) from None
    finally:
        end.set()
    return f"{started} threads"


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


@attack
def fork_tree() -> str:
    """Start processes that each start two, six times over."""
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


@program
def abort_at_limit() -> None:
    """Start processes until it is refused one, and break down over it as a careless program does."""
    children: list[int] = []
    while len(children) < 80:
        try:
            children.append(start_sleeper())
        except OSError:
            for other in children:
                os.kill(other, signal.SIGKILL)
            os.abort()
    for child in children:
        os.kill(child, signal.SIGKILL)
    print(f"ESCAPED {len(children)} processes")
    sys.stdout.flush()
