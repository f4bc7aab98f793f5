"""Shows a certificate that it has signed itself where those of one authority are admitted."""

import tempfile
from pathlib import Path

from tests.system.misbehaving.python.encrypted import knock
from tests.system.misbehaving.python.visit import Visit, run
from tests.unit.server.certificates import Authority


def misbehave(visit: Visit) -> None:
    with tempfile.TemporaryDirectory() as folder:
        knock(visit, Authority(Path(folder), "myself").issue("me"))


if __name__ == "__main__":
    run(misbehave)
