"""Starts processes until it is refused one, and breaks down over it as a careless program does."""

import os
import signal
import sys


def bomb() -> None:
    children: list[int] = []
    while len(children) < 80:
        try:
            child = os.fork()
        except OSError:
            for other in children:
                os.kill(other, signal.SIGKILL)
            os.abort()
        if not child:
            signal.pause()
            os._exit(0)
        children.append(child)
    for child in children:
        os.kill(child, signal.SIGKILL)
    print(f"ESCAPED {len(children)} processes")
    sys.stdout.flush()


bomb()
