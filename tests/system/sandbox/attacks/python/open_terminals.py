"""Opens new terminals, of which the machine has a number for all its programs together."""

import os

from attack import attempt


def open_some() -> str:
    terminals = [os.open("/dev/ptmx", os.O_RDWR | os.O_NOCTTY) for _ in range(8)]
    return f"{len(terminals)} terminals opened"


attempt(open_some)
