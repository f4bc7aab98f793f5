"""Writes to its standard output without end."""

import os

from arena.v1 import play_pb2
from tests.system.misbehaving.python.hosted import Seat, at_its_first_decision


def misbehave(seat: Seat, asked: play_pb2.Decision) -> None:
    while True:
        os.write(1, b"all is well\n" * 100)


if __name__ == "__main__":
    at_its_first_decision(misbehave)
