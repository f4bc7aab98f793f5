"""Opens a call and closes its side without a word."""

from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    link = visit.dial()
    link.half_close()
    link.hear_all()


if __name__ == "__main__":
    run(misbehave)
