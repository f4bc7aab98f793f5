"""Answers its last decision again when the match is over."""

from arena.v1 import play_pb2
from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    link = visit.seated().play_on()
    link.say(answer=play_pb2.Answer(assignment=link.assignment, decision=6, index=0))
    link.hear("answer_ignored")
    link.leave()


if __name__ == "__main__":
    run(misbehave)
