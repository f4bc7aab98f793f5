"""Sends SIGKILL to the first process that it sees and to all others, and plays on."""

import os
import signal

from arena.v1 import play_pb2
from tests.system.misbehaving.python.hosted import Seat, at_its_first_decision


def misbehave(seat: Seat, asked: play_pb2.Decision) -> None:
    seat.try_out("the first process", lambda: os.kill(1, signal.SIGKILL))
    seat.try_out("all others", lambda: os.kill(-1, signal.SIGKILL))


if __name__ == "__main__":
    at_its_first_decision(misbehave)
