"""Asks with its bot token for the log of a match and for its debug lines."""

import grpc

from arena.v1 import match_pb2, match_pb2_grpc
from tests.system.misbehaving.python.visit import ADDRESS, TOKEN, Visit, run, status_of


def misbehave(visit: Visit) -> None:
    metadata = (("authorization", f"Bearer {TOKEN}"),)
    with grpc.insecure_channel(ADDRESS) as channel:
        matches = match_pb2_grpc.MatchServiceStub(channel)
        try:
            list(
                matches.DownloadMatchLog(
                    match_pb2.DownloadMatchLogRequest(name="matches/1"), metadata=metadata
                )
            )
        except grpc.RpcError as error:
            visit.note_end(status_of(error))
        try:
            matches.ListDebugLines(match_pb2.ListDebugLinesRequest(name="matches/1"), metadata=metadata)
        except grpc.RpcError as error:
            visit.note_end(status_of(error))


if __name__ == "__main__":
    run(misbehave)
