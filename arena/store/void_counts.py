"""How many matches of each bot were void by the arena's fault: who finds out how to make them so escapes his losses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, func, select, update

from arena.store.schema import BOTS, MATCH_SEATS

MOST_LISTED: Final = 100

CONSPICUOUS_VOIDS: Final = 3
CONSPICUOUS_FACTOR: Final = 10
"""So many void matches at least, and so many times the share of all others, are more than bad luck."""


@dataclass(frozen=True, slots=True)
class VoidCount:
    """The void matches of one bot."""

    bot: str
    voids: int
    matches: int
    """All of its matches, void ones and those that have not ended included."""
    conspicuous: bool
    """Whether it has far more of them than others."""


class VoidCounts:
    """The void matches of all bots."""

    def __init__(self, connection: Connection) -> None:
        """`connection`: of the transaction that all calls belong to."""
        self._connection = connection

    def add(self, bots: Sequence[str]) -> None:
        """A match of these bots was void."""
        self._connection.execute(
            update(BOTS).where(BOTS.c.id.in_(set(bots))).values(void_matches=BOTS.c.void_matches + 1)
        )

    def of(self, bot: str) -> int:
        """How many matches of a bot were void; 0 if there is no such bot."""
        query = select(BOTS.c.void_matches).where(BOTS.c.id == bot)
        return int(self._connection.execute(query).scalar_one_or_none() or 0)

    def all(self) -> tuple[VoidCount, ...]:
        """Bots with void matches, the most first, at most so many as are listed."""
        query = (
            select(BOTS.c.id, BOTS.c.void_matches)
            .where(BOTS.c.void_matches > 0)
            .order_by(BOTS.c.void_matches.desc())
            .limit(MOST_LISTED)
        )
        rows = [(str(bot), int(voids)) for bot, voids in self._connection.execute(query)]
        if not rows:
            return ()
        matches = self._matches([bot for bot, _ in rows])
        of_all = select(func.coalesce(func.sum(BOTS.c.void_matches), 0)).where(BOTS.c.void_matches > 0)
        voids_of_all = int(self._connection.execute(of_all).scalar_one())
        seats = int(self._connection.execute(select(func.count()).select_from(MATCH_SEATS)).scalar_one())
        return tuple(
            VoidCount(
                bot,
                voids,
                matches[bot],
                is_conspicuous(voids, matches[bot], voids_of_all - voids, seats - matches[bot]),
            )
            for bot, voids in rows
        )

    def _matches(self, bots: Sequence[str]) -> dict[str, int]:
        counted = {}
        for bot in bots:
            query = select(func.count()).select_from(MATCH_SEATS).where(MATCH_SEATS.c.bot == bot)
            counted[bot] = int(self._connection.execute(query).scalar_one())
        return counted


def is_conspicuous(voids: int, matches: int, voids_of_others: int, matches_of_others: int) -> bool:
    """Whether these are far more void matches than others have; in whole numbers, so that no rounding decides."""
    if voids < CONSPICUOUS_VOIDS or not matches_of_others:
        return False
    return voids * matches_of_others >= CONSPICUOUS_FACTOR * voids_of_others * matches
