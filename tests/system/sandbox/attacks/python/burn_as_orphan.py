"""Computes for longer than it may, in a process that has left its parent, while the program itself waits."""

import os
import time

from attack import attempt


def burn() -> str:
    said = os.pipe()
    child = os.fork()
    if not child:
        os.setsid()
        if not os.fork():
            while time.process_time() < 1:
                pass
            os.write(said[1], b".")
        os._exit(0)
    os.close(said[1])
    os.waitpid(child, 0)
    return f"1 s burnt{os.read(said[0], 1).decode()}"


attempt(burn)
