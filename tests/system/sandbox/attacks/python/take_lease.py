"""Takes a lease on a file, which tells who opens it."""

import fcntl
import os

from attack import attempt


def take() -> str:
    file = os.open("/tmp/leased", os.O_CREAT | os.O_RDONLY)
    fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    return "lease taken"


attempt(take)
