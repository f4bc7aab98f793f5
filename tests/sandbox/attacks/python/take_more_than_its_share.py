"""Takes more of a processor than its share of a tenth."""

import errno
import time

from attack import attempt, refused


def burn() -> str:
    started = time.monotonic()
    while time.process_time() < 0.6 and time.monotonic() - started < 2.5:
        pass
    share = time.process_time() / (time.monotonic() - started)
    if share < 0.14:
        raise refused(errno.EDQUOT)
    return "more than its share"


attempt(burn)
