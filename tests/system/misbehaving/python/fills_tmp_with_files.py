"""Makes empty files in /tmp without end."""

import os
from itertools import count

from arena.v1 import play_pb2
from tests.system.misbehaving.python.hosted import Seat, at_its_first_decision


def misbehave(seat: Seat, asked: play_pb2.Decision) -> None:
    for number in count():
        os.close(os.open(f"/tmp/{number}", os.O_CREAT | os.O_WRONLY))


if __name__ == "__main__":
    at_its_first_decision(misbehave)
