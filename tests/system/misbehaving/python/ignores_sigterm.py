"""Plays as it should, but does not leave when it is told to, and ignores SIGTERM."""

import atexit
import signal
import time

from arena.v1 import play_pb2
from tests.system.misbehaving.python.hosted import Seat, at_its_first_decision


def misbehave(seat: Seat, asked: play_pb2.Decision) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    atexit.register(time.sleep, 86_400)


if __name__ == "__main__":
    at_its_first_decision(misbehave)
