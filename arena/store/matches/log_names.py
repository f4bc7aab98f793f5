"""Which logs the database names."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from sqlalchemy import select

from arena.store.repository import Repository
from arena.store.schema import MATCH_GROUPS, MATCHES

_CHUNK: Final = 1_000


@dataclass(frozen=True, slots=True)
class RecordedLog:
    """A match that has a log, in the database's eyes."""

    match: int
    log: str
    """The log's name, 64 hex digits."""
    ended_us: int
    group_ended_us: int | None
    """When the last match of its group had ended; None while one is open."""


class LogNames(Repository):
    """The logs of all matches that have ended."""

    def all(self) -> Iterator[RecordedLog]:
        """Yield every log that a match names, by match, read piece by piece."""
        query = (
            select(*MATCHES.c["id", "log", "ended_us"], MATCH_GROUPS.c.completed_us)
            .join_from(MATCHES, MATCH_GROUPS, MATCHES.c.group_id == MATCH_GROUPS.c.id)
            .where(MATCHES.c.log != "")
            .order_by(MATCHES.c.id)
        )
        for row in self._connection.execution_options(yield_per=_CHUNK).execute(query):
            yield RecordedLog(row.id, row.log, row.ended_us, row.completed_us)
