"""Whose bots a caller is told of what tells which match a bot was assigned to, before that match has begun."""

from __future__ import annotations

from arena.server.auth.permissions import Caller
from arena.store.store import Transaction


def bots_shown(tx: Transaction, caller: Caller) -> frozenset[str] | None:
    """The bots of which the caller is told everything; None: all of them."""
    return None if caller.is_organiser else tx.bots.of_owner(caller.owner)
