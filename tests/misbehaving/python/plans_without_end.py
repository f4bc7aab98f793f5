"""Answers with a plan that declines a hundred thousand goods, in both matches of a group."""

from arena.v1 import games_pb2, play_pb2
from tests.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    link = visit.dial()
    link.hello()
    action = games_pb2.Action()
    action.caravanserai.plan.declined.extend([1] * 100_000)
    for _ in range(2):
        link.assignment = link.take_seat().assignment
        for decision in link.decisions():
            answer = play_pb2.Answer(assignment=link.assignment, decision=decision.decision, action=action)
            link.say(answer=answer)
    link.leave()


if __name__ == "__main__":
    run(misbehave)
