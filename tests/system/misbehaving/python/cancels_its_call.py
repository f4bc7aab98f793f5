"""Cancels its call while its decision is open, and keeps the connection."""

from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    link = visit.seated()
    next(link.decisions())
    link.cancel()
    link.hear_all()


if __name__ == "__main__":
    run(misbehave)
