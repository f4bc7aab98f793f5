"""Counts the processes of the machine."""

import errno
import os

from attack import attempt, refused, setting


def count() -> str:
    seen = [name for name in os.listdir("/proc") if name.isdigit()]
    if setting("HOST_PID") not in seen:
        raise refused(errno.ESRCH)
    return "processes seen"


attempt(count)
