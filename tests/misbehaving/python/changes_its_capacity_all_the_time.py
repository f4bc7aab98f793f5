"""Takes on a thousand matches and none, a hundred times a decision."""

from arena.v1 import play_pb2
from tests.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    link = visit.seated()
    for decision in link.decisions():
        for _ in range(100):
            link.say(capacity=play_pb2.Capacity(matches=1_000))
            link.say(capacity=play_pb2.Capacity())
        link.answer(decision)
    link.leave()


if __name__ == "__main__":
    run(misbehave)
