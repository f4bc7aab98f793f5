"""Sends sixty thousand answers for nothing while its own decision is open."""

from arena.v1 import play_pb2
from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    link = visit.seated()
    first = next(link.decisions())
    nonsense = play_pb2.ClientMessage(answer=play_pb2.Answer(assignment=99, decision=7, index=0))
    for _ in range(60_000 // 60):
        link.say_messages(*[nonsense] * 60)
    link.answer(first)
    link.play_on().leave()


if __name__ == "__main__":
    run(misbehave)
