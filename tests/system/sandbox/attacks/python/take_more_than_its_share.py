"""Takes more of the processors than its share of a tenth of one, in four processes."""

import errno
import os
import time

from attack import attempt, refused


def burn() -> str:
    started = time.monotonic()
    for _ in range(4):
        if not os.fork():
            while time.monotonic() - started < 1:
                pass
            os._exit(0)
    for _ in range(4):
        os.wait()
    used = os.times()
    share = (used.children_user + used.children_system) / (time.monotonic() - started)
    if share < 0.16:
        raise refused(errno.EDQUOT)
    return "more than its share"


attempt(burn)
