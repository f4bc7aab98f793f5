"""Answers with a plan that declines a hundred thousand goods, in both matches of a group."""

from arena.v1 import games_pb2, play_pb2
from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    action = games_pb2.Action()
    action.caravanserai.plan.declined.extend([1] * 100_000)
    link = visit.dial()
    link.hello()
    ended = 0
    while ended < 2:
        message = link.hear_any()
        assert message is not None
        ended += message.HasField("match_ended")
        if message.HasField("assigned"):
            link.say(ready=play_pb2.Ready(assignment=message.assigned.assignment))
        elif message.HasField("decision"):
            asked = message.decision
            link.say(
                answer=play_pb2.Answer(assignment=asked.assignment, decision=asked.decision, action=action)
            )
    link.leave()


if __name__ == "__main__":
    run(misbehave)
