"""Sends frames without a message between its answers."""

from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    link = visit.seated()
    for decision in link.decisions():
        for _ in range(10):
            link.say_bytes(b"")
        link.answer(decision)
    link.leave()


if __name__ == "__main__":
    run(misbehave)
