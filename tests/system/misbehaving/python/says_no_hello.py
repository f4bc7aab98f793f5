"""Opens a call and says nothing."""

from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    visit.dial().hear_all()


if __name__ == "__main__":
    run(misbehave)
