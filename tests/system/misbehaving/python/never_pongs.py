"""Answers no ping."""

from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    visit.dial(answer_pings=False).take_one_seat().play_on().leave()


if __name__ == "__main__":
    run(misbehave)
