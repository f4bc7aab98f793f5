"""Bots that are slow to read, to get ready or to say anything."""

import time

from arena.v1 import play_pb2
from tests.system.misbehaving.python.by_hand import STREAM, ByHand, send_and_listen
from tests.system.misbehaving.python.visit import Visit, main, remote_bot


@remote_bot
def says_nothing_at_all(visit: Visit) -> None:
    """Open a TCP connection and send nothing."""
    send_and_listen(visit, b"")


@remote_bot
def says_no_hello(visit: Visit) -> None:
    """Open a call and say nothing."""
    visit.dial().hear_all()


@remote_bot
def never_reads(visit: Visit) -> None:
    """Be ready for its match, and read nothing from then on."""
    with ByHand(window=0) as bot:
        bot.allow(STREAM, 1_024)  # enough for `welcome` and `assigned`
        bot.take_one_seat()
        time.sleep(8)
        bot.allow(STREAM, 1 << 20)
        for message in bot.messages:
            if message.HasField("goodbye"):
                visit.note_incident(f"{message.goodbye.reason}: {message.goodbye.sentence}")


@remote_bot
def is_never_ready(visit: Visit) -> None:
    """Take on matches and be ready for none of them."""
    link = visit.dial()
    link.hello()
    for _ in range(3):
        link.hear("warning")
    link.say(capacity=play_pb2.Capacity())
    link.leave()


if __name__ == "__main__":
    main()
