"""Answers its first decision before it is ready for the match."""

from arena.v1 import play_pb2
from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    link = visit.dial()
    link.hello()
    assigned = link.hear("assigned").assignment
    link.say(
        capacity=play_pb2.Capacity(),
        answer=play_pb2.Answer(assignment=assigned, decision=1, index=0),
        ready=play_pb2.Ready(assignment=assigned),
    )
    link.play_on().leave()


if __name__ == "__main__":
    run(misbehave)
