"""Starts processes until it is refused one."""

import os
import signal

from attack import attempt


def bomb() -> str:
    children: list[int] = []
    try:
        while len(children) < 80:
            child = os.fork()
            if not child:
                signal.pause()
                os._exit(0)
            children.append(child)
    finally:
        for child in children:
            os.kill(child, signal.SIGKILL)
    return f"{len(children)} processes"


attempt(bomb)
