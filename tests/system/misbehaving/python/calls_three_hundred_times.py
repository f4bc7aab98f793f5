"""Opens three hundred calls at its socket while its decision is open, and runs on."""

import contextlib
import time

from arena.v1 import play_pb2
from tests.system.misbehaving.python.by_hand import PLAY, request
from tests.system.misbehaving.python.hosted import Seat, at_its_first_decision
from tests.system.misbehaving.python.visit import ADDRESS
from tests.system.play.raw_bot import hello
from tests.system.play.wire import Wire


def misbehave(seat: Seat, asked: play_pb2.Decision) -> None:
    wires = []
    with contextlib.suppress(OSError):  # it is not heard to the end
        for _ in range(5):
            wires.append(wire := Wire(ADDRESS))
            for number in range(60):
                wire.call(2 * number + 1, PLAY, "", request(play_pb2.ClientMessage(hello=hello())))
    time.sleep(86_400)


if __name__ == "__main__":
    at_its_first_decision(misbehave)
