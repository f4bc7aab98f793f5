"""Shows no certificate where only clients with one are admitted."""

from tests.system.misbehaving.python.encrypted import knock
from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    knock(visit, None)


if __name__ == "__main__":
    run(misbehave)
