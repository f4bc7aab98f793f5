"""Comes back fifty times to each of its decisions, and then answers."""

from arena.v1 import play_pb2
from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    link = visit.dial()
    token = link.hello().resume_token
    assigned = link.hear("assigned").assignment
    link.say(capacity=play_pb2.Capacity(), ready=play_pb2.Ready(assignment=assigned))
    for _ in range(3):
        for _ in range(50):
            link.hear("decision")
            link.cut()
            link = visit.dial()
            token = link.hello(resume_token=token, capacity=play_pb2.Capacity(open_decisions=1)).resume_token
        link.answer(link.hear("decision"))
    link.play_on().leave()


if __name__ == "__main__":
    run(misbehave)
