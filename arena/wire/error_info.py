"""What an error of the arena says to programs: the details of its status."""

from collections.abc import Iterable
from typing import Final

DETAILS_KEY: Final = "grpc-status-details-bin"
"""The metadata that has the details of a status."""


def error_info(trailing: Iterable[tuple[str, str | bytes]] | None) -> tuple[str, dict[str, str]]:
    """Return reason and metadata of google.rpc.ErrorInfo in a call's trailing metadata; empty without one."""
    from google.rpc import error_details_pb2, status_pb2

    for key, value in trailing or ():
        if key != DETAILS_KEY or not isinstance(value, bytes):
            continue
        for detail in status_pb2.Status.FromString(value).details:
            info = error_details_pb2.ErrorInfo()
            if detail.Unpack(info):
                return str(info.reason), dict(info.metadata)
    return "", {}
