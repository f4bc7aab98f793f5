"""Starts threads until it is refused one, and has not reckoned with that."""

import os
import threading
import traceback

from arena.v1 import play_pb2
from tests.system.misbehaving.python.hosted import Seat, at_its_first_decision


def misbehave(seat: Seat, asked: play_pb2.Decision) -> None:
    try:
        while True:
            threading.Thread(target=threading.Event().wait, daemon=True).start()
    except RuntimeError:
        traceback.print_exc()
        os._exit(1)  # an orderly end would wait for threads that were never there


if __name__ == "__main__":
    at_its_first_decision(misbehave)
