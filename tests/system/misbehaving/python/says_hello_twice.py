"""Says hello in the middle of a match."""

from tests.system.misbehaving.python.visit import Visit, run
from tests.system.play.raw_bot import hello


def misbehave(visit: Visit) -> None:
    link = visit.seated()
    next(link.decisions())
    link.say(hello=hello())
    link.hear_all()


if __name__ == "__main__":
    run(misbehave)
