"""Plays one match to its end, and exits with 0 before the next one."""

import os

from tests.system.misbehaving.python.hosted import Seat

if __name__ == "__main__":
    seat = Seat()
    seat.hello()
    seat.play_on()
    os._exit(0)
