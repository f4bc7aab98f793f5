"""Sends a frame of two mebibytes."""

from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    link = visit.seated()
    next(link.decisions())
    link.say_bytes(bytes(2 << 20))
    link.hear_all()


if __name__ == "__main__":
    run(misbehave)
