"""Computes for four seconds of a processor, longer than its clock allows."""

import time

from arena.v1 import play_pb2
from tests.system.misbehaving.python.hosted import Seat, at_its_first_decision


def misbehave(seat: Seat, asked: play_pb2.Decision) -> None:
    end = time.process_time() + 4
    while time.process_time() < end:
        pass


if __name__ == "__main__":
    at_its_first_decision(misbehave)
