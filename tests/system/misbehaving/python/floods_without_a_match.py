"""Sends three hundred messages while no decision is open."""

from arena.v1 import play_pb2
from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    link = visit.dial()
    link.hello(capacity=play_pb2.Capacity(open_decisions=1))
    for _ in range(300):
        link.say(capacity=play_pb2.Capacity(open_decisions=1))
    link.hear_all()


if __name__ == "__main__":
    run(misbehave)
