"""Computes for four seconds, longer than its clock allows."""

import time

from arena.v1 import play_pb2
from tests.misbehaving.python.hosted import Seat, at_its_first_decision


def misbehave(seat: Seat, asked: play_pb2.Decision) -> None:
    end = time.monotonic() + 4
    while time.monotonic() < end:
        pass


if __name__ == "__main__":
    at_its_first_decision(misbehave)
