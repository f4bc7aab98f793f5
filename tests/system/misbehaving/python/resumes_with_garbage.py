"""Says hello with resume tokens that never were, then plays on."""

from arena.v1 import play_pb2
from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    for token in ("garbage", "1-", "-1", "9" * 5_000, "1-" + "0" * 32):
        link = visit.dial()
        assert not link.hello(resume_token=token, capacity=play_pb2.Capacity(open_decisions=1)).resumed
        link.leave()
    visit.seated(resume_token="\N{BACTRIAN CAMEL}").play_on().leave()


if __name__ == "__main__":
    run(misbehave)
