"""Starts processes until it is refused one, and plays on with all of them."""

import subprocess

from arena.v1 import play_pb2
from tests.misbehaving.python.hosted import Seat, at_its_first_decision


def misbehave(seat: Seat, asked: play_pb2.Decision) -> None:
    def start() -> None:
        while True:
            subprocess.Popen(("sleep", "86400"))

    seat.try_out("starting", start)


if __name__ == "__main__":
    at_its_first_decision(misbehave)
