"""Is ready for its match, and from then on reads nothing."""

import time

from tests.system.misbehaving.python.by_hand import STREAM, ByHand
from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    with ByHand(window=0) as bot:
        bot.allow(STREAM, 1_024)  # enough for `welcome` and `assigned`
        bot.take_one_seat()
        time.sleep(8)
        bot.allow(STREAM, 1 << 20)
        for message in bot.messages():
            if message.HasField("goodbye"):
                visit.note_incident(f"{message.goodbye.reason}: {message.goodbye.sentence}")


if __name__ == "__main__":
    run(misbehave)
