"""Resigns for assignments that it never had."""

from arena.v1 import play_pb2
from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    link = visit.seated()
    for decision in link.decisions():
        link.say(resign=play_pb2.Resign(assignment=99))
        link.answer(decision)
    link.leave()


if __name__ == "__main__":
    run(misbehave)
