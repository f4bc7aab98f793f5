"""Knows version 99 of the rules alone."""

from arena.v1 import play_pb2
from tests.system.misbehaving.python.visit import Visit, run
from tests.system.play.raw_bot import hello


def misbehave(visit: Visit) -> None:
    link = visit.dial()
    link.say(hello=hello(games=[play_pb2.GameSupport(game="caravan", rules_versions=[99])]))
    link.hear_all()


if __name__ == "__main__":
    run(misbehave)
