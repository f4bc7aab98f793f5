"""Puts fields that nobody knows into every message."""

from arena.v1 import play_pb2
from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    link = visit.seated()
    for decision in link.decisions():
        answer = play_pb2.Answer(assignment=link.assignment, decision=decision.decision, index=0)
        # Field 2047 of the answer: text that no version of the protocol has.
        answer.MergeFromString(b"\xfa\x7f\x05extra")
        link.say(answer=answer)
    link.leave()


if __name__ == "__main__":
    run(misbehave)
