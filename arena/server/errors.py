"""The one table that turns the arena's errors into gRPC statuses.

Every status carries `google.rpc.ErrorInfo{reason, domain, metadata}` (docs/errors.md).
"""

from collections.abc import Mapping
from typing import Final, NoReturn

import grpc
from google.protobuf.duration_pb2 import Duration
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

from arena.core import errors
from arena.core.errors import ArenaError, ErrorReason
from arena.core.tokens import redact
from arena.server.context import Context
from arena.wire.error_info import DETAILS_KEY
from engine.game import InvalidOptionsError

DOMAIN: Final = "arena.v1"
"""The domain of every ErrorInfo."""

CODES: Final[Mapping[type[ArenaError], grpc.StatusCode]] = {
    errors.NotFoundError: grpc.StatusCode.NOT_FOUND,
    errors.AlreadyExistsError: grpc.StatusCode.ALREADY_EXISTS,
    errors.InvalidArgumentError: grpc.StatusCode.INVALID_ARGUMENT,
    errors.FailedPreconditionError: grpc.StatusCode.FAILED_PRECONDITION,
    errors.UnauthenticatedError: grpc.StatusCode.UNAUTHENTICATED,
    errors.PermissionDeniedError: grpc.StatusCode.PERMISSION_DENIED,
    errors.ResourceExhaustedError: grpc.StatusCode.RESOURCE_EXHAUSTED,
    errors.UnavailableError: grpc.StatusCode.UNAVAILABLE,
    errors.DeadlineExceededError: grpc.StatusCode.DEADLINE_EXCEEDED,
    errors.DataLossError: grpc.StatusCode.DATA_LOSS,
}
"""The code of each kind of error; any other is INTERNAL."""

RETRY_AFTER_S: Final[Mapping[ErrorReason, int]] = {ErrorReason.DRAINING: 5, ErrorReason.STORAGE: 1}
"""Seconds until a retry makes sense, for errors that pass by themselves."""

RETRY_AFTER: Final = "retry_after_s"
"""The same in the metadata of an error; it takes precedence."""


def code_of(error: ArenaError) -> grpc.StatusCode:
    """Return the canonical code of an error."""
    return CODES.get(type(error), grpc.StatusCode.INTERNAL)


def as_arena_error(error: Exception) -> ArenaError | None:
    """Return the error as an ArenaError; None for a fault of the arena."""
    if isinstance(error, ArenaError):
        return error
    if isinstance(error, InvalidOptionsError):
        metadata = {"field": f"options.{error.option[:80]}"} if error.option else {}
        return errors.InvalidArgumentError(ErrorReason.OPTION_INVALID, str(error), **metadata)
    return None


def internal_error(error_id: str) -> ArenaError:
    """Return the error for a fault of the arena, with the id under which the service log has the details."""
    return ArenaError(
        ErrorReason.INTERNAL,
        f"The arena failed; its operator finds out why under the error id {error_id}.",
        error_id=error_id,
    )


def retry_after_s(error: ArenaError) -> int | None:
    """Return the seconds until a retry makes sense; None for an error that does not pass by itself."""
    if RETRY_AFTER in error.metadata:
        return int(error.metadata[RETRY_AFTER])
    return RETRY_AFTER_S.get(error.reason)


def status_message(error: ArenaError) -> Status:
    """Return the error as `google.rpc.Status`."""
    status = Status(code=code_of(error).value[0], message=redact(error.sentence))
    # A token sent in place of a name must not end in the caller's log.
    metadata = {key: redact(value) for key, value in error.metadata.items()}
    status.details.add().Pack(ErrorInfo(reason=error.reason.value, domain=DOMAIN, metadata=metadata))
    seconds = retry_after_s(error)
    if seconds is not None:
        status.details.add().Pack(RetryInfo(retry_delay=Duration(seconds=seconds)))
    return status


async def abort(context: Context, error: ArenaError) -> NoReturn:
    """End the call with the status of the error."""
    details = (DETAILS_KEY, status_message(error).SerializeToString())
    await context.abort(code_of(error), redact(error.sentence), trailing_metadata=(details,))
