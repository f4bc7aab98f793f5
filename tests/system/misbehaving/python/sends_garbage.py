"""Sends bytes that are no message in the middle of a match."""

from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    link = visit.seated()
    next(link.decisions())
    link.say_bytes(b"\xff" * 40)
    link.hear_all()


if __name__ == "__main__":
    run(misbehave)
