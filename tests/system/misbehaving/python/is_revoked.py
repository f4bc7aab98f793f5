"""Thinks while its owner takes its token back."""

from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    link = visit.seated()
    next(link.decisions())
    link.hear_all()


if __name__ == "__main__":
    run(misbehave)
