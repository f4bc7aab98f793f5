"""Opens a second connection with its resume token while the first one is open."""

from arena.v1 import play_pb2
from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    old = visit.dial()
    token = old.hello().resume_token
    assigned = old.hear("assigned").assignment
    old.say(capacity=play_pb2.Capacity(), ready=play_pb2.Ready(assignment=assigned))
    old.hear("decision")
    new = visit.dial()
    new.hello(resume_token=token, capacity=play_pb2.Capacity(open_decisions=1))
    old.hear_all()
    new.play_on().leave()


if __name__ == "__main__":
    run(misbehave)
