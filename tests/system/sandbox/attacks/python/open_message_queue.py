"""Opens a POSIX message queue of the host."""

import os

from attack import attempt, checked, libc, setting


def open_queue() -> str:
    checked(libc.mq_open(setting("QUEUE_NAME").encode(), os.O_RDONLY | os.O_NONBLOCK))
    return "queue opened"


attempt(open_queue)
