"""Stops itself as SIGSTOP does: it is there, but does nothing any more."""

import os
import signal

from arena.v1 import play_pb2
from tests.system.misbehaving.python.hosted import Seat, at_its_first_decision


def misbehave(seat: Seat, asked: play_pb2.Decision) -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


if __name__ == "__main__":
    at_its_first_decision(misbehave)
