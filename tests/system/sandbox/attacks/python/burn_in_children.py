"""Computes for longer than it may, in processes that each end early."""

import os
import time

from attack import attempt


def burn() -> str:
    for _ in range(8):
        child = os.fork()
        if not child:
            while time.process_time() < 0.125:
                pass
            os._exit(0)
        os.waitpid(child, 0)
    return "8 times 0.125 s burnt"


attempt(burn)
