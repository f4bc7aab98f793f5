"""Sends HTTP/2 pings without end while its decision is open."""

from tests.system.misbehaving.python.by_hand import ByHand
from tests.system.misbehaving.python.visit import Visit, run
from tests.system.play.wire import Kind, frame


def misbehave(visit: Visit) -> None:
    with ByHand() as bot:
        bot.take_one_seat()
        bot.hear("decision")
        bot.send_bytes(20 * frame(Kind.PING, payload=bytes(8)))
        goaway = next(each for each in bot.frames() if each.kind == Kind.GOAWAY)
        visit.note_end(f"GOAWAY {int.from_bytes(goaway.payload[4:8])}: {goaway.payload[8:].decode()}")


if __name__ == "__main__":
    run(misbehave)
