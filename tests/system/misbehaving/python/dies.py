"""Is killed while its decision is open."""

import os
import signal

from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    next(visit.seated().decisions())
    visit.report()
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    run(misbehave)
