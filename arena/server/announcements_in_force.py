"""The announcements in force, kept in memory: each answered call says when the newest one was created."""

from collections.abc import Callable
from typing import Final

from arena.store.announcements import AnnouncementRow
from arena.store.database import Database

ANNOUNCED_KEY: Final = "arena-announced-us"
"""The key in the trailing metadata of answers (proto/arena/v1/announcement.proto)."""
MOST_IN_FORCE: Final = 20
"""Announcements in force at once: every page shows all of them."""


class AnnouncementsInForce:
    """When each announcement in force was created, and when it ends."""

    def __init__(self, now_us: Callable[[], int]) -> None:
        """`now_us`: microseconds since 1970 UTC."""
        self._now_us = now_us
        self._ends: dict[int, int | None] = {}
        """By the time of creation."""

    async def load(self, database: Database) -> None:
        """Read those that are stored."""
        now_us = self._now_us()
        rows = await database.read(lambda tx: tx.announcements.page(now_us, after=None, limit=MOST_IN_FORCE))
        self._ends = {row.created_us: row.expires_us for row in rows}

    def add(self, row: AnnouncementRow) -> None:
        """Add one that was stored."""
        now_us = self._now_us()
        self._ends = {made: end for made, end in self._ends.items() if end is None or end > now_us}
        self._ends[row.created_us] = row.expires_us

    def discard(self, row: AnnouncementRow) -> None:
        """Take one out that was deleted."""
        self._ends.pop(row.created_us, None)

    def newest_us(self) -> int | None:
        """Return when the newest one in force was created; None: there is none."""
        if not self._ends:
            return None
        now_us = self._now_us()
        return max((made for made, end in self._ends.items() if end is None or end > now_us), default=None)
