"""What all services use, and how they record decisions of people."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from arena.server.auth.permissions import Caller
from arena.server.runtime import ArenaRuntime
from arena.server.services.paging import ListRequest, Page, PageRequest, Pages, Place
from arena.store.audit.entries import AuditEntry, AuditKind
from arena.store.database import Database
from arena.store.store import Transaction
from arena.wire.game_catalogue import GameCatalogue

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
