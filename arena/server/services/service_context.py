"""What all services use, and how they record decisions of people."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, TypeVar

from google.protobuf.message import Message

from arena.core.errors import invalid_field
from arena.server.auth.permissions import Caller, current_caller
from arena.server.runtime import ArenaRuntime
from arena.server.services.paging import ListRequest, Page, PageRequest, Pages, Place
from arena.store.accounts.idempotency import RequestKey
from arena.store.audit.entries import AuditEntry, AuditKind
from arena.store.database import Database
from arena.store.store import Transaction
from arena.wire.game_catalogue import GameCatalogue

MAX_REQUEST_ID: Final = 36

M = TypeVar("M", bound=Message)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ServiceContext:
    """What all services use."""

    database: Database
    catalogue: GameCatalogue
    runtime: ArenaRuntime
    pages: Pages
    now_us: Callable[[], int]
    """Microseconds since 1970 UTC."""

    async def page(
        self,
        request: ListRequest,
        rows: Callable[[Transaction, PageRequest], Sequence[T]],
        place: Callable[[T], Place],
        *filters: str,
    ) -> Page[T]:
        """Return a page of a listing. `rows` reads it; `place`, `filters`: see `Pages`."""
        wanted = self.pages.read(request, *filters)
        return self.pages.cut(wanted, await self.database.read(lambda tx: rows(tx, wanted)), place)

    async def create_once(self, request: Message, create: Callable[[Transaction], M], response: type[M]) -> M:
        """Return what `create` returns, or what it returned for the same request before.

        A request without a request_id is always a new one (docs/bad_inputs.md rows 31 and 32).

        Raises AlreadyExistsError (REQUEST_ID_REUSED), InvalidArgumentError (FIELD_INVALID: the request_id is none).
        """
        request_id = _request_id(request)
        if not request_id:
            return await self.database.write(create)
        body = sha256(request.SerializeToString(deterministic=True)).digest()
        key = RequestKey(current_caller().owner, request_id, type(request).__name__, body)

        def change(tx: Transaction) -> M:
            known = tx.requests.find_response(key)
            if known is not None:
                return response.FromString(known)
            created = create(tx)
            tx.requests.remember(key, created.SerializeToString(), self.now_us())
            return created

        return await self.database.write(change)


def _request_id(request: Message) -> str:
    request_id: str = getattr(request, "request_id")  # noqa: B009 - every message that creates has it
    if len(request_id) > MAX_REQUEST_ID or not (request_id.isascii() and request_id.isprintable()):
        raise invalid_field(
            "request_id",
            f"request_id must be at most {MAX_REQUEST_ID} printable ASCII characters, best a UUID.",
        )
    return request_id


def bots_shown(tx: Transaction, caller: Caller) -> frozenset[str] | None:
    """Return the bots of which the caller may see everything before a match begins; None: all."""
    return None if caller.is_organiser else tx.bots.of_owner(caller.owner)


def record_decision(
    tx: Transaction, kind: AuditKind, caller: Caller, now_us: int, sentence: str, *about: str
) -> None:
    """Record a decision of the caller. `sentence`: for people; `about`: resource names, each once."""
    tx.audit.add(AuditEntry(kind, now_us, sentence, about, actor=caller.actor))


async def complete(work: Coroutine[Any, Any, T]) -> T:
    """Complete the work even if the caller cancels the call; return its result.

    What is stored stays stored, so its consequences, for example calls that must end, must not be left out.
    """
    return await asyncio.shield(asyncio.ensure_future(work))
