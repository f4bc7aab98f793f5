"""Answers its first three decisions twice."""

from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    link = visit.seated()
    for decision in link.decisions():
        link.answer(decision)
        if decision.decision <= 3:
            link.answer(decision)
    link.leave()


if __name__ == "__main__":
    run(misbehave)
