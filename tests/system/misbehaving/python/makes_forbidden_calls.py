"""Makes system calls that are refused, and plays on."""

import ctypes
import errno
import socket
from collections.abc import Callable

from arena.v1 import play_pb2
from tests.system.misbehaving.python.hosted import Seat, at_its_first_decision

LIBC = ctypes.CDLL(None, use_errno=True)
NEW_USER = 0x10000000
"""CLONE_NEWUSER of linux/sched.h."""


def misbehave(seat: Seat, asked: play_pb2.Decision) -> None:
    seat.try_out("tracing", call(lambda: LIBC.ptrace(0, 0, 0, 0)))
    seat.try_out("a namespace of its own", call(lambda: LIBC.unshare(NEW_USER)))
    seat.try_out("a mount", call(lambda: LIBC.mount(b"none", b"/tmp", b"tmpfs", 0, 0)))
    seat.try_out("a network socket", lambda: socket.socket(socket.AF_INET))


def call(function: Callable[[], int]) -> Callable[[], None]:
    """A call of the C library that raises OSError when it fails."""

    def checked() -> None:
        if function() < 0:
            number = ctypes.get_errno()
            raise OSError(number, errno.errorcode[number])

    return checked


if __name__ == "__main__":
    at_its_first_decision(misbehave)
