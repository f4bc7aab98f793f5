"""Plays one match to its end, and exits with 1 before the next one."""

import os

from tests.system.misbehaving.python.hosted import Seat

if __name__ == "__main__":
    seat = Seat()
    seat.hello()
    seat.play_on()
    os._exit(1)
