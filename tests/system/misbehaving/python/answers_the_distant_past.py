"""Answers its first decision again with the second and the third one."""

from arena.v1 import play_pb2
from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    link = visit.seated()
    for decision in link.decisions():
        link.answer(decision)
        if decision.decision <= 3:
            link.say(answer=play_pb2.Answer(assignment=link.assignment, decision=1, index=0))
    link.leave()


if __name__ == "__main__":
    run(misbehave)
