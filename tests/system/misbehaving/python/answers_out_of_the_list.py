"""Answers with an index one behind the end of the list."""

from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    link = visit.seated()
    for decision in link.decisions():
        link.answer(decision, len(decision.legal_actions))


if __name__ == "__main__":
    run(misbehave)
