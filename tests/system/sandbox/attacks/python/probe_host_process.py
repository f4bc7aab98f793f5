"""Asks by a signal that does nothing whether a process of the host is there."""

import errno
import os

from attack import attempt, setting


def probe() -> str:
    try:
        os.kill(int(setting("HOST_PID")), 0)
    except OSError as error:
        if error.errno != errno.EPERM:
            raise
    return "process seen"


attempt(probe)
