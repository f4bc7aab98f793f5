"""Comes back after garbage, twice, to send garbage again."""

from arena.v1 import play_pb2
from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    link = visit.dial()
    welcome = link.hello()
    assigned = link.hear("assigned").assignment
    link.say(capacity=play_pb2.Capacity(), ready=play_pb2.Ready(assignment=assigned))
    for _ in range(3):
        link.hear("decision")
        link.say_bytes(b"\xff")
        link.hear_all()
        link = visit.dial()
        welcome = link.hello(resume_token=welcome.resume_token, capacity=play_pb2.Capacity(open_decisions=1))
    link.hear("match_ended")
    link.leave()


if __name__ == "__main__":
    run(misbehave)
