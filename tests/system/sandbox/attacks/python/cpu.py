"""Attacks on the limit of processor time."""

import errno
import os
import time

from attack import attack, refused


@attack
def burn() -> str:
    """Compute for longer than it may."""
    while time.process_time() < 1:
        pass
    return "1 s burnt"


@attack
def burn_in_children() -> str:
    """Compute for longer than it may, in processes that each end early."""
    for _ in range(8):
        child = os.fork()
        if not child:
            while time.process_time() < 0.125:
                pass
            os._exit(0)
        os.waitpid(child, 0)
    return "8 times 0.125 s burnt"


@attack
def burn_as_orphan() -> str:
    """Compute for longer than it may, in a process that has left its parent, while the program itself waits."""
    said = os.pipe()
    child = os.fork()
    if not child:
        os.setsid()
        if not os.fork():
            while time.process_time() < 1:
                pass
            os.write(said[1], b".")
        os._exit(0)
    os.close(said[1])
    os.waitpid(child, 0)
    return f"1 s burnt{os.read(said[0], 1).decode()}"


@attack
def take_more_than_its_share() -> str:
    """Take more of the processors than its share of a tenth of one, in four processes."""
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
