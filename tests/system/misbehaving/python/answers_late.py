"""Answers its first decision once it has been closed, and no other one."""

from arena.v1 import play_pb2
from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    link = visit.seated()
    for message in link.everything():
        if message.HasField("decision_closed") and message.decision_closed.decision == 1:
            link.say(answer=play_pb2.Answer(assignment=link.assignment, decision=1, index=0))


if __name__ == "__main__":
    run(misbehave)
