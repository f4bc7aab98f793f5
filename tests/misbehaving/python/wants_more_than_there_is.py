"""Takes on four thousand million matches at once."""

from arena.v1 import play_pb2
from tests.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    link = visit.seated()
    for decision in link.decisions():
        link.say(capacity=play_pb2.Capacity(matches=4_000_000_000, open_decisions=4_000_000_000))
        link.say(capacity=play_pb2.Capacity())
        link.answer(decision)
    link.leave()


if __name__ == "__main__":
    run(misbehave)
