"""Resets its TCP connection while its decision is open."""

from tests.system.misbehaving.python.by_hand import ByHand
from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    with ByHand() as bot:
        bot.take_one_seat()
        bot.hear("decision")
        bot.abandon()


if __name__ == "__main__":
    run(misbehave)
