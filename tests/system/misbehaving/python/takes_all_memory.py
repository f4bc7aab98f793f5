"""Takes memory without end."""

from arena.v1 import play_pb2
from tests.system.misbehaving.python.hosted import Seat, at_its_first_decision


def misbehave(seat: Seat, asked: play_pb2.Decision) -> None:
    kept = [b"x" * (1 << 20)]
    while True:
        kept.append(kept[-1][:-1] + b"y")


if __name__ == "__main__":
    at_its_first_decision(misbehave)
