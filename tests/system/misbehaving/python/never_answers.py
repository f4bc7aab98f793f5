"""Takes its seat and answers no decision."""

from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    visit.seated().hear("match_ended")


if __name__ == "__main__":
    run(misbehave)
