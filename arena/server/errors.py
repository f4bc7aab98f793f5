"""The one table that turns the arena's errors into gRPC statuses.

Every status carries `google.rpc.ErrorInfo{reason, domain, metadata}`; docs/errors.md says what to do.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NoReturn

import grpc
from google.protobuf import any_pb2
from google.protobuf.duration_pb2 import Duration
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

from arena.core.errors import (
    AlreadyExistsError,
    ArenaError,
    DataLossError,
    DeadlineExceededError,
    ErrorReason,
    FailedPreconditionError,
    InvalidArgumentError,
    NotFoundError,
    PermissionDeniedError,
    ResourceExhaustedError,
    UnauthenticatedError,
    UnavailableError,
)
from arena.core.tokens import redact
from arena.server.context import Context
from engine.game import InvalidOptionsError

_DETAILS_KEY: Final = "grpc-status-details-bin"

DOMAIN: Final = "arena.v1"
"""The domain of every ErrorInfo."""

CODES: Final[Mapping[type[ArenaError], grpc.StatusCode]] = {
    NotFoundError: grpc.StatusCode.NOT_FOUND,
    AlreadyExistsError: grpc.StatusCode.ALREADY_EXISTS,
    InvalidArgumentError: grpc.StatusCode.INVALID_ARGUMENT,
    FailedPreconditionError: grpc.StatusCode.FAILED_PRECONDITION,
    UnauthenticatedError: grpc.StatusCode.UNAUTHENTICATED,
    PermissionDeniedError: grpc.StatusCode.PERMISSION_DENIED,
    ResourceExhaustedError: grpc.StatusCode.RESOURCE_EXHAUSTED,
    UnavailableError: grpc.StatusCode.UNAVAILABLE,
    DeadlineExceededError: grpc.StatusCode.DEADLINE_EXCEEDED,
    DataLossError: grpc.StatusCode.DATA_LOSS,
}
"""The code of each kind of error. Anything else is INTERNAL."""

RETRY_AFTER_S: Final[Mapping[ErrorReason, int]] = {
    ErrorReason.DRAINING: 5,
    ErrorReason.STORAGE: 1,
}
"""After how many seconds it makes sense to try again, for the errors that pass by themselves."""

RETRY_AFTER: Final = "retry_after_s"
"""The same in the metadata of an error that knows it better."""


def code_of(error: ArenaError) -> grpc.StatusCode:
    """The canonical code of an error."""
    return CODES.get(type(error), grpc.StatusCode.INTERNAL)


def as_arena_error(error: Exception) -> ArenaError | None:
    """The error as the arena words it; None for one that says that the arena is at fault."""
    if isinstance(error, ArenaError):
        return error
    if isinstance(error, InvalidOptionsError):
        return InvalidArgumentError(ErrorReason.OPTION_INVALID, str(error))
    return None


def internal_error(error_id: str) -> ArenaError:
    """What a caller is told of a fault of the arena: the id under which the service log tells more."""
    return ArenaError(
        ErrorReason.INTERNAL,
        f"The arena failed; its operator finds out why under the error id {error_id}.",
        error_id=error_id,
    )


def retry_after_s(error: ArenaError) -> int | None:
    """After how many seconds it makes sense to try again; None for what does not pass by itself."""
    if RETRY_AFTER in error.metadata:
        return int(error.metadata[RETRY_AFTER])
    return RETRY_AFTER_S.get(error.reason)


def status_message(error: ArenaError) -> Status:
    """The error as `google.rpc.Status`."""
    status = Status(code=code_of(error).value[0], message=redact(error.sentence))
    info = ErrorInfo(reason=error.reason.value, domain=DOMAIN, metadata=_redacted(error.metadata))
    status.details.append(_packed(info))
    seconds = retry_after_s(error)
    if seconds is not None:
        status.details.append(_packed(RetryInfo(retry_delay=Duration(seconds=seconds))))
    return status


async def abort(context: Context, error: ArenaError) -> NoReturn:
    """The call ends with the status of the error."""
    details = (_DETAILS_KEY, status_message(error).SerializeToString())
    await context.abort(code_of(error), redact(error.sentence), trailing_metadata=(details,))


def _redacted(metadata: Mapping[str, str]) -> dict[str, str]:
    """Whoever sends a token where a name belongs is not sent it back, for it would end in a log of his."""
    return {key: redact(value) for key, value in metadata.items()}


def _packed(detail: ErrorInfo | RetryInfo) -> any_pb2.Any:
    packed = any_pb2.Any()
    packed.Pack(detail)
    return packed
