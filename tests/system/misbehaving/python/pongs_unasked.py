"""Sends pongs for pings that were never sent."""

from arena.v1 import play_pb2
from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    link = visit.seated()
    for decision in link.decisions():
        for _ in range(1_000):
            link.say(pong=play_pb2.Pong(id=4_000_000_000))
        link.answer(decision)
    link.leave()


if __name__ == "__main__":
    run(misbehave)
