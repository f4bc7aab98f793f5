"""Takes on four thousand million matches at once, and thinks better of it in the same frame."""

from arena.v1 import play_pb2
from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    most = play_pb2.Capacity(matches=4_000_000_000, open_decisions=4_000_000_000)
    link = visit.seated()
    for decision in link.decisions():
        link.say_messages(
            play_pb2.ClientMessage(capacity=most), play_pb2.ClientMessage(capacity=play_pb2.Capacity())
        )
        link.answer(decision)
    link.leave()


if __name__ == "__main__":
    run(misbehave)
