"""Writes to its standard error without end."""

import os

from arena.v1 import play_pb2
from tests.system.misbehaving.python.hosted import Seat, at_its_first_decision


def misbehave(seat: Seat, asked: play_pb2.Decision) -> None:
    while True:
        os.write(2, b"all is lost\n" * 100)


if __name__ == "__main__":
    at_its_first_decision(misbehave)
