"""Anchors: bots of fixed rating on a ladder (docs/seasons.md)."""

from sqlalchemy import Connection

from arena.core.rating.ledger import anchor_entry
from arena.core.rating.seasons import Anchor
from arena.store.ladders.entries import Entries
from arena.store.ladders.ladders import Ladders
from arena.store.ladders.ledger import Ledger
from arena.store.repository import Repository


class Anchors(Repository):
    """The anchors of all rated ladders."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self._ladders = Ladders(connection)
        self._entries = Entries(connection)
        self._ledger = Ledger(connection)

    def decide(self, ladder: str, anchor: Anchor, now_us: int) -> None:
        """Fix the rating of a bot or release it, with an entry of the ledger; if it is so already, change nothing.

        Raises NotFoundError (ENTRY_NOT_FOUND).
        """
        before = self._entries.get(ladder, anchor.bot)
        if anchor.rating_milli == (before.rating_milli if before.anchor else None):
            return
        entry = anchor_entry(before.rating, seq=self._ladders.next_ledger_seq(ladder), anchor=anchor)
        self._ledger.append(ladder, entry, now_us)
        self._entries.set_rating(ladder, anchor.bot, entry.changes[0].after)
        self._entries.set_anchor(ladder, anchor.bot, anchor=anchor.rating_milli is not None)

    def of(self, ladder: str) -> dict[str, int]:
        """Return the fixed ratings of the ladder's anchors by bot, in thousandths of a point."""
        return {entry.bot: entry.rating_milli for entry in self._entries.all(ladder) if entry.anchor}
