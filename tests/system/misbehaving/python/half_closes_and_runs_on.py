"""Half-closes while its decision is open, and runs on."""

import time

from arena.v1 import play_pb2
from tests.system.misbehaving.python.hosted import Seat, at_its_first_decision


def misbehave(seat: Seat, asked: play_pb2.Decision) -> None:
    seat.half_close()
    time.sleep(86_400)


if __name__ == "__main__":
    at_its_first_decision(misbehave)
