"""Calls with its token, one letter changed."""

from tests.system.misbehaving.python.visit import TOKEN, Visit, run
from tests.system.play.raw_bot import hello


def misbehave(visit: Visit) -> None:
    link = visit.dial(TOKEN[:-1] + ("a" if TOKEN[-1] != "a" else "b"))
    link.say(hello=hello())
    link.hear_all()


if __name__ == "__main__":
    run(misbehave)
