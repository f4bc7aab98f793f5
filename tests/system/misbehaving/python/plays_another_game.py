"""Answers with an action of Caravanserai in a match of Caravan."""

from arena.v1 import games_pb2, play_pb2
from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    link = visit.seated()
    for decision in link.decisions():
        action = games_pb2.Action()
        action.caravanserai.camel.direction = 1
        link.say(
            answer=play_pb2.Answer(assignment=link.assignment, decision=decision.decision, action=action)
        )


if __name__ == "__main__":
    run(misbehave)
