"""Raises an error that nobody catches while its decision is open."""

from arena.v1 import play_pb2
from tests.system.misbehaving.python.hosted import Seat, at_its_first_decision


def misbehave(seat: Seat, asked: play_pb2.Decision) -> None:
    raise RuntimeError("the cistern is empty")


if __name__ == "__main__":
    at_its_first_decision(misbehave)
