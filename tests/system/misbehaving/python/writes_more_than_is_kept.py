"""Writes 400 KiB, more than is kept of its words, and fails."""

import os
import sys

from arena.v1 import play_pb2
from tests.system.misbehaving.python.hosted import Seat, at_its_first_decision


def misbehave(seat: Seat, asked: play_pb2.Decision) -> None:
    sys.stderr.write("the first word\n" + f"{'word ' * 20}\n" * 4_000 + "the last word\n")
    sys.stderr.flush()
    os._exit(3)


if __name__ == "__main__":
    at_its_first_decision(misbehave)
