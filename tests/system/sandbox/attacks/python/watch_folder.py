"""Has itself signalled when somebody reads a file of a folder that all bots are shown."""

import fcntl
import os
import signal

from attack import attempt

F_NOTIFY = 1026
DN_ACCESS = 1


def watch() -> str:
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGIO})
    folder = os.open("/bot", os.O_RDONLY)
    fcntl.fcntl(folder, F_NOTIFY, DN_ACCESS)
    seen = signal.sigtimedwait({signal.SIGIO}, 10)
    return "reading seen" if seen else "nothing seen"


attempt(watch)
