"""Answers each decision in the very millisecond in which it is lost."""

import time

from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    link = visit.seated()
    for decision in link.decisions():
        time.sleep(decision.time_left_ms / 1_000)
        link.answer(decision)
    link.leave()


if __name__ == "__main__":
    run(misbehave)
