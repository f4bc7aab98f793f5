"""Ends itself by SIGABRT, as a failed assertion in C does."""

import os

from arena.v1 import play_pb2
from tests.system.misbehaving.python.hosted import Seat, at_its_first_decision


def misbehave(seat: Seat, asked: play_pb2.Decision) -> None:
    os.abort()


if __name__ == "__main__":
    at_its_first_decision(misbehave)
