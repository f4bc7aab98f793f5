"""Sends a compressed frame of a few kilobytes that unpacks to 64 mebibytes."""

import grpc

from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    link = visit.dial(compression=grpc.Compression.Gzip).take_one_seat()
    next(link.decisions())
    link.say_bytes(bytes(64 << 20))
    link.hear_all()


if __name__ == "__main__":
    run(misbehave)
