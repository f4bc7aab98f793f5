"""Claims the matches of lost sessions, of which it has none."""

from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    visit.seated(claim=True).play_on().leave()


if __name__ == "__main__":
    run(misbehave)
