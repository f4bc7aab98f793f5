"""Reads from every descriptor that was open when it started."""

import errno
import os

from attack import attempt, refused


def look() -> str:
    for descriptor in range(3, 256):
        try:
            said = os.pread(descriptor, 100, 0)
        except OSError:
            continue
        if said.startswith(b"inherited"):
            return said.decode()
    raise refused(errno.EBADF)


attempt(look)
