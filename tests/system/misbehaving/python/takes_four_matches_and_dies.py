"""Takes four matches at once, and exits when it has a decision to make in each of them."""

import os

from arena.v1 import play_pb2
from tests.system.misbehaving.python.hosted import Seat

if __name__ == "__main__":
    seat = Seat()
    seat.hello(capacity=play_pb2.Capacity(matches=4))
    asked = set()
    for message in seat.everything():
        if message.HasField("decision"):
            asked.add(message.decision.assignment)
        if len(asked) == 4:
            os._exit(4)
