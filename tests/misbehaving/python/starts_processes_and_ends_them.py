"""Starts processes until it is refused one, ends them all, and plays on."""

import subprocess

from arena.v1 import play_pb2
from tests.misbehaving.python.hosted import Seat, at_its_first_decision


def misbehave(seat: Seat, asked: play_pb2.Decision) -> None:
    started: list[subprocess.Popen[bytes]] = []

    def start() -> None:
        while True:
            started.append(subprocess.Popen(("sleep", "86400")))

    seat.try_out("starting", start)
    for each in started:
        each.kill()
        each.wait()


if __name__ == "__main__":
    at_its_first_decision(misbehave)
