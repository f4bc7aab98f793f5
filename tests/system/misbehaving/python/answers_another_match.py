"""Answers for an assignment that it never had, before it answers for its own."""

from arena.v1 import play_pb2
from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    link = visit.seated()
    for decision in link.decisions():
        link.say(answer=play_pb2.Answer(assignment=99, decision=decision.decision, index=0))
        link.answer(decision)
    link.leave()


if __name__ == "__main__":
    run(misbehave)
