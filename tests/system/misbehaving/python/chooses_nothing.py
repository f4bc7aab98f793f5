"""Answers without any choice."""

from arena.v1 import play_pb2
from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    link = visit.seated()
    for decision in link.decisions():
        link.say(answer=play_pb2.Answer(assignment=link.assignment, decision=decision.decision))


if __name__ == "__main__":
    run(misbehave)
