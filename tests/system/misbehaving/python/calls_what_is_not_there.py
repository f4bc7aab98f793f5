"""Calls a method that the arena does not have."""

import grpc

from tests.system.misbehaving.python.visit import ADDRESS, TOKEN, Visit, run, status_of


def misbehave(visit: Visit) -> None:
    with grpc.insecure_channel(ADDRESS) as channel:
        cheat: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary("/arena.v1.PlayService/Win")
        try:
            cheat(b"", metadata=(("authorization", f"Bearer {TOKEN}"),))
        except grpc.RpcError as error:
            visit.note_end(status_of(error))


if __name__ == "__main__":
    run(misbehave)
