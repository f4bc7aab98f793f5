"""Begins two thousand calls and resets each of them at once."""

from tests.system.misbehaving.python.by_hand import GET_BOT
from tests.system.misbehaving.python.visit import ADDRESS, TOKEN, Visit, run
from tests.system.play.wire import Kind, Wire, call, reset


def misbehave(visit: Visit) -> None:
    with Wire(ADDRESS) as bot:
        for number in range(2_000):
            stream = 2 * number + 1
            bot.send_bytes(call(stream, GET_BOT, TOKEN) + reset(stream))
        bot.send(Kind.PING, payload=bytes(8))
        next(each for each in bot.frames() if each.kind == Kind.PING and each.flags)
        visit.note_end("PONG")


if __name__ == "__main__":
    run(misbehave)
