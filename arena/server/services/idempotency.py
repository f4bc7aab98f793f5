"""Repeated requests have one effect (docs/bad_inputs.md rows 31 and 32)."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Final, TypeVar

from google.protobuf.message import Message

from arena.core.errors import invalid_field
from arena.server.auth.permissions import current_caller
from arena.server.services.service_context import ServiceContext
from arena.store.accounts.idempotency import RequestKey
from arena.store.store import Transaction

MAX_REQUEST_ID: Final = 36

M = TypeVar("M", bound=Message)


async def create_once(
    platform: ServiceContext,
    request: Message,
    create: Callable[[Transaction], M],
    response: type[M],
) -> M:
    """Return what `create` returns, or what it returned for the same request before.

    A request without a request_id is always a new one.

    Raises:
        AlreadyExistsError: REQUEST_ID_REUSED.
        InvalidArgumentError: FIELD_INVALID for a request_id that is none.
    """
    request_id = _request_id(request)
    if not request_id:
        return await platform.database.write(create)
    method = type(request).__name__
    key = RequestKey(
        current_caller().owner,
        request_id,
        method,
        sha256(request.SerializeToString(deterministic=True)).digest(),
    )

    def change(tx: Transaction) -> M:
        known = tx.requests.find_response(key)
        if known is not None:
            return response.FromString(known)
        created = create(tx)
        tx.requests.remember(key, created.SerializeToString(), platform.now_us())
        return created

    return await platform.database.write(change)


def _request_id(request: Message) -> str:
    request_id: str = getattr(request, "request_id")  # noqa: B009 - every message that creates has it
    if len(request_id) > MAX_REQUEST_ID or not (request_id.isascii() and request_id.isprintable()):
        raise invalid_field(
            "request_id",
            f"request_id must be at most {MAX_REQUEST_ID} printable ASCII characters, best a UUID.",
        )
    return request_id
