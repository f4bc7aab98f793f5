"""Calls with 16 KiB of metadata."""

import grpc

from tests.system.misbehaving.python.by_hand import PLAY
from tests.system.misbehaving.python.visit import ADDRESS, TOKEN, Visit, run, status_of


def misbehave(visit: Visit) -> None:
    with grpc.insecure_channel(ADDRESS) as channel:
        play: grpc.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(PLAY)
        try:
            list(play(iter([]), metadata=(("authorization", f"Bearer {TOKEN}"), ("x-much", "x" * 16_384))))
        except grpc.RpcError as error:
            visit.note_end(status_of(error))


if __name__ == "__main__":
    run(misbehave)
