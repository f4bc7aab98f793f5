"""Takes on matches and is ready for none of them."""

from arena.v1 import play_pb2
from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    link = visit.dial()
    link.hello()
    for _ in range(3):
        link.hear("warning")
    link.say(capacity=play_pb2.Capacity())
    link.leave()


if __name__ == "__main__":
    run(misbehave)
