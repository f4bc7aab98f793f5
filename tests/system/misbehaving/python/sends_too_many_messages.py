"""Sends a frame of 65 messages."""

from arena.v1 import play_pb2
from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    link = visit.seated()
    next(link.decisions())
    link.say_messages(*[play_pb2.ClientMessage(pong=play_pb2.Pong(id=1))] * 65)
    link.hear_all()


if __name__ == "__main__":
    run(misbehave)
