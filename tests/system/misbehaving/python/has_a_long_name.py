"""Calls its version by a name of 65 letters."""

from tests.system.misbehaving.python.visit import Visit, run
from tests.system.play.raw_bot import hello


def misbehave(visit: Visit) -> None:
    link = visit.dial()
    link.say(hello=hello(bot_version="x" * 65))
    link.hear_all()


if __name__ == "__main__":
    run(misbehave)
