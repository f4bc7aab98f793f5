"""Traces itself, where it is held strictly."""

import ctypes

from arena.v1 import play_pb2
from tests.system.misbehaving.python.hosted import Seat, at_its_first_decision


def misbehave(seat: Seat, asked: play_pb2.Decision) -> None:
    ctypes.CDLL(None).ptrace(0, 0, 0, 0)


if __name__ == "__main__":
    at_its_first_decision(misbehave)
