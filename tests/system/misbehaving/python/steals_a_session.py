"""Says hello with the resume token of its opponent."""

from tests.system.misbehaving.python.visit import LOOT, Visit, run
from tests.system.play.raw_bot import hello


def misbehave(visit: Visit) -> None:
    link = visit.dial()
    link.say(hello=hello(resume_token=LOOT))
    link.hear_all()


if __name__ == "__main__":
    run(misbehave)
