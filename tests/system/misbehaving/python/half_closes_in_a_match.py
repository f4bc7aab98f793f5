"""Half-closes while its decision is open."""

from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    link = visit.seated()
    next(link.decisions())
    link.half_close()
    link.hear_all()


if __name__ == "__main__":
    run(misbehave)
