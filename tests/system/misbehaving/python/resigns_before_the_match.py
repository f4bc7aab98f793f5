"""Resigns a seat that it has not taken yet, then takes it and plays."""

from arena.v1 import play_pb2
from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    link = visit.dial()
    link.hello()
    link.assignment = link.hear("assigned").assignment
    link.say(
        capacity=play_pb2.Capacity(),
        resign=play_pb2.Resign(assignment=link.assignment),
        ready=play_pb2.Ready(assignment=link.assignment),
    )
    link.play_on().leave()


if __name__ == "__main__":
    run(misbehave)
