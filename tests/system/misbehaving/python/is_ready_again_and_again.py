"""Is ready for a seat that is ready, and for seats that it does not have."""

from arena.v1 import play_pb2
from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    link = visit.dial()
    link.hello()
    assigned = link.hear("assigned").assignment
    link.say(capacity=play_pb2.Capacity(), ready=play_pb2.Ready(assignment=assigned + 1))
    link.hear("warning")
    link.say(ready=play_pb2.Ready(assignment=assigned))
    for decision in link.decisions():
        link.say(ready=play_pb2.Ready(assignment=assigned))
        link.answer(decision)
    link.leave()


if __name__ == "__main__":
    run(misbehave)
