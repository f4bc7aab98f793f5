"""Gets a descriptor for a process of the host, to see when it ends."""

import os

from attack import attempt, setting


def hold() -> str:
    os.close(os.pidfd_open(int(setting("HOST_PID"))))
    return "process held"


attempt(hold)
