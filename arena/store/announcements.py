"""Announcements: sentences of organisers to everybody, each for a time."""

from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import delete, func, or_, select

from arena.core.errors import ErrorReason
from arena.store.repository import Repository, found, from_row
from arena.store.schema import ANNOUNCEMENTS


@dataclass(frozen=True, slots=True)
class AnnouncementRow:
    """An announcement."""

    number: int
    text: str
    created_us: int
    """Differs from that of each other announcement that is stored."""
    expires_us: int | None = None
    """When it ends, in microseconds since 1970 UTC; None: never."""


class Announcements(Repository):
    """The announcements. Those that have ended stay until the next one is added."""

    def add(self, text: str, expires_us: int | None, now_us: int) -> AnnouncementRow:
        """Store an announcement, created now or right after the newest one; remove those that have ended."""
        self._connection.execute(delete(ANNOUNCEMENTS).where(ANNOUNCEMENTS.c.expires_us <= now_us))
        newest = self._connection.execute(select(func.max(ANNOUNCEMENTS.c.created_us))).scalar_one()
        created_us = now_us if newest is None else max(now_us, newest + 1)
        made = self._insert(ANNOUNCEMENTS, text=text, created_us=created_us, expires_us=expires_us)
        number: int = made.inserted_primary_key[0]  # type: ignore[index]
        return AnnouncementRow(number, text, created_us, expires_us)

    def remove(self, number: int, now_us: int) -> AnnouncementRow:
        """Remove an announcement in force, and return it. Raises NotFoundError (ANNOUNCEMENT_NOT_FOUND)."""
        row = self._first(_in_force(now_us).where(ANNOUNCEMENTS.c.number == number), _announcement)
        announcement = found(row, ErrorReason.ANNOUNCEMENT_NOT_FOUND, "announcement", number)
        self._connection.execute(delete(ANNOUNCEMENTS).where(ANNOUNCEMENTS.c.number == number))
        return announcement

    def page(self, now_us: int, *, after: int | None, limit: int) -> tuple[AnnouncementRow, ...]:
        """Return announcements in force, oldest first, those with a number above `after`."""
        return self._page(
            _in_force(now_us), ANNOUNCEMENTS.c.number, after=after, limit=limit, make=_announcement
        )


def _in_force(now_us: int) -> Any:
    ends: Final = ANNOUNCEMENTS.c.expires_us
    return select(ANNOUNCEMENTS).where(or_(ends.is_(None), ends > now_us))


def _announcement(row: Any) -> AnnouncementRow:
    return from_row(AnnouncementRow, row)
