"""Which bots' assignments a caller may see before the match begins."""

from __future__ import annotations

from arena.server.auth.permissions import Caller
from arena.store.store import Transaction


def bots_shown(tx: Transaction, caller: Caller) -> frozenset[str] | None:
    """Return the bots of which the caller may see everything; None: all."""
    return None if caller.is_organiser else tx.bots.of_owner(caller.owner)
