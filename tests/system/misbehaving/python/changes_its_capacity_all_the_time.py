"""Takes on a thousand matches and none, sixty-four times in a frame."""

from arena.v1 import play_pb2
from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    many = play_pb2.ClientMessage(capacity=play_pb2.Capacity(matches=1_000))
    none = play_pb2.ClientMessage(capacity=play_pb2.Capacity())
    link = visit.seated()
    for decision in link.decisions():
        for _ in range(100):
            link.say_messages(*[many, none] * 32)
        link.answer(decision)
    link.leave()


if __name__ == "__main__":
    run(misbehave)
