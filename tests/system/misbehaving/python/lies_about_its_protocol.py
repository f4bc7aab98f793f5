"""Speaks protocol 98 to 99."""

from tests.system.misbehaving.python.visit import Visit, run
from tests.system.play.raw_bot import hello


def misbehave(visit: Visit) -> None:
    link = visit.dial()
    link.say(hello=hello(lowest_protocol=98, highest_protocol=99))
    link.hear_all()


if __name__ == "__main__":
    run(misbehave)
