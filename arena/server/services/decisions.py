"""Decisions of people: completed even if the call is cancelled, and audited in the same transaction."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from arena.server.auth.permissions import Caller
from arena.store.audit.entries import AuditEntry, AuditKind
from arena.store.store import Transaction

T = TypeVar("T")


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
