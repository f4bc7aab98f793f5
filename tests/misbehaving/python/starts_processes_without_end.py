"""Starts processes until it is refused one, and has not reckoned with that."""

import os
import subprocess
import traceback

from arena.v1 import play_pb2
from tests.misbehaving.python.hosted import Seat, at_its_first_decision


def misbehave(seat: Seat, asked: play_pb2.Decision) -> None:
    try:
        while True:
            subprocess.Popen(("sleep", "86400"))
    except OSError:
        traceback.print_exc()
        os._exit(1)  # its library would wait for threads that it is refused as well


if __name__ == "__main__":
    at_its_first_decision(misbehave)
