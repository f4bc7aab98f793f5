"""Resigns, and resigns again."""

from arena.v1 import play_pb2
from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    link = visit.seated()
    next(link.decisions())
    link.say(resign=play_pb2.Resign(assignment=link.assignment))
    link.say(resign=play_pb2.Resign(assignment=link.assignment))
    link.hear("match_ended")
    link.leave()


if __name__ == "__main__":
    run(misbehave)
