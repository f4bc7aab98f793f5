"""Takes an open file out of another process."""

import os
import signal

from attack import attempt, call


def steal() -> str:
    child = os.fork()
    if not child:
        signal.pause()
        os._exit(0)
    try:
        call("pidfd_getfd", call("pidfd_open", child, 0), 1, 0)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    return "file taken"


attempt(steal)
