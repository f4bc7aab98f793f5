"""Opens three hundred calls at once."""

from contextlib import ExitStack

from arena.v1 import play_pb2
from tests.system.misbehaving.python.by_hand import PLAY, request
from tests.system.misbehaving.python.visit import ADDRESS, TOKEN, Visit, run
from tests.system.play.raw_bot import hello
from tests.system.play.wire import Kind, Wire


def misbehave(visit: Visit) -> None:
    with ExitStack() as held:
        for _ in range(5):
            wire = held.enter_context(Wire(ADDRESS))
            for number in range(60):
                wire.call(2 * number + 1, PLAY, TOKEN, request(play_pb2.ClientMessage(hello=hello())))
            wire.send(Kind.PING, payload=bytes(8))
            next(each for each in wire.frames() if each.kind == Kind.PING and each.flags)
        link = visit.dial()
        link.say(hello=hello())
        link.hear_all()


if __name__ == "__main__":
    run(misbehave)
