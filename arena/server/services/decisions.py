"""What people decide: carried out in any case, and in the audit trail.

The entry is written in the transaction of the decision, so that neither is there alone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from arena.server.auth.permissions import Caller
from arena.store.audit.entries import AuditEntry, AuditKind
from arena.store.store import Transaction

T = TypeVar("T")


def decided(
    tx: Transaction, kind: AuditKind, caller: Caller, now_us: int, sentence: str, *about: str
) -> None:
    """The caller has decided so. `sentence`: for people; `about`: resource names, each once."""
    tx.audit.add(AuditEntry(kind, now_us, sentence, about, actor=caller.actor))


async def carried_out(work: Coroutine[Any, Any, T]) -> T:
    """What the work gives. It goes on to its end though the caller breaks his call off.

    What is stored stays stored then: whatever follows from it, a call that has to end, must not be left out.
    """
    return await asyncio.shield(asyncio.ensure_future(work))
