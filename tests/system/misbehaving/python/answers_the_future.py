"""Answers the next decision before each decision."""

from arena.v1 import play_pb2
from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    link = visit.seated()
    for decision in link.decisions():
        link.say(answer=play_pb2.Answer(assignment=link.assignment, decision=decision.decision + 1, index=0))
        link.answer(decision)
    link.leave()


if __name__ == "__main__":
    run(misbehave)
