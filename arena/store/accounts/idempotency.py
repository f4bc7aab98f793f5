"""Answered requests: the same request sent twice takes effect once (docs/bad_inputs.md rows 31, 32)."""

from dataclasses import dataclass

from sqlalchemy import select

from arena.core.errors import AlreadyExistsError, ErrorReason
from arena.store.repository import Repository, row_values
from arena.store.schema import REQUESTS


@dataclass(frozen=True, slots=True)
class RequestKey:
    """What makes a request the same as an earlier one."""

    owner: str
    """The caller; request ids of different owners never meet."""
    request_id: str
    method: str
    body_sha256: bytes
    """SHA-256 of the request's bytes, 32 bytes."""


class AnsweredRequests(Repository):
    """The answered requests."""

    def find_response(self, key: RequestKey) -> bytes | None:
        """Return the response given to the same request before; None if the request is new.

        Raises AlreadyExistsError: REQUEST_ID_REUSED, the id was used with another method or body.
        """
        same = REQUESTS.c.owner == key.owner, REQUESTS.c.request_id == key.request_id
        row = self._connection.execute(select(REQUESTS).where(*same)).first()
        if row is None:
            return None
        if (row.method, row.body_sha256) != (key.method, key.body_sha256):
            raise AlreadyExistsError(
                ErrorReason.REQUEST_ID_REUSED,
                f"The request id {key.request_id} was used with another request; take a new one for each.",
                request_id=key.request_id,
            )
        return bytes(row.response)

    def remember(self, key: RequestKey, response: bytes, now_us: int) -> None:
        """Store the response, to be returned to the same request again."""
        self._insert(REQUESTS, **row_values(key), response=response, created_us=now_us)
