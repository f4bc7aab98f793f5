"""Is ready before it has said hello."""

from arena.v1 import play_pb2
from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    link = visit.dial()
    link.say(ready=play_pb2.Ready(assignment=1))
    link.hear_all()


if __name__ == "__main__":
    run(misbehave)
