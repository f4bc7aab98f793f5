"""Starts threads until it is refused one."""

import errno
import threading

from attack import attempt, refused


def bomb() -> str:
    end = threading.Event()
    started = 0
    try:
        while started < 80:
            threading.Thread(target=end.wait).start()
            started += 1
    except RuntimeError:
        raise refused(errno.EAGAIN) from None
    finally:
        end.set()
    return f"{started} threads"


attempt(bomb)
