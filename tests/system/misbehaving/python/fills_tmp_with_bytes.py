"""Writes into /tmp until it is full, and plays on."""

from pathlib import Path

from arena.v1 import play_pb2
from tests.system.misbehaving.python.hosted import Seat, at_its_first_decision


def misbehave(seat: Seat, asked: play_pb2.Decision) -> None:
    def fill() -> None:
        with Path("/tmp/full").open("wb", buffering=0) as file:
            while True:
                file.write(bytes(1 << 20))

    seat.try_out("writing", fill)
    seat.tell(f"{Path('/tmp/full').stat().st_size >> 20} MiB in /tmp")


if __name__ == "__main__":
    at_its_first_decision(misbehave)
