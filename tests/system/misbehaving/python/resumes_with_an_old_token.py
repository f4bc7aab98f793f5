"""Comes back with the last resume token but one."""

from arena.v1 import play_pb2
from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    link = visit.dial()
    oldest = link.hello(capacity=play_pb2.Capacity(open_decisions=1)).resume_token
    again = visit.dial()
    again.hello(resume_token=oldest, capacity=play_pb2.Capacity(open_decisions=1))
    again.say(capacity=play_pb2.Capacity(open_decisions=1))
    link.hear_all()
    assert not visit.dial().hello(resume_token=oldest, capacity=play_pb2.Capacity(open_decisions=1)).resumed
    visit.seated().play_on().leave()


if __name__ == "__main__":
    run(misbehave)
