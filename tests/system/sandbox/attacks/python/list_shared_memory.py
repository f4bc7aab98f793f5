"""Lists the shared memory of the host."""

import errno
from pathlib import Path

from attack import attempt, refused, setting


def look() -> str:
    if setting("IPC_KEY") not in Path("/proc/sysvipc/shm").read_text().split():
        raise refused(errno.ENOENT)
    return "memory seen"


attempt(look)
