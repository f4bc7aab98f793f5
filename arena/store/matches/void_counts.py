"""Counts of each bot's matches that were void by the arena's fault: to cause them would be a way out of losses."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, func, or_, select

from arena.core.endings.arena_faults import STOPPED
from arena.core.match import MatchState
from arena.store.repository import Repository
from arena.store.schema import BOTS, MATCH_SEATS, MATCHES

MOST_LISTED: Final = 100

CONSPICUOUS_VOIDS: Final = 3
CONSPICUOUS_FACTOR: Final = 10
"""So many void matches at least, and so many times the share of the matches without the bot, are more than bad luck."""


_VOID: Final = MATCHES.c.state == MatchState.ABORTED.value
_STOPPED: Final = or_(*(MATCHES.c.void_reason.startswith(reason, autoescape=True) for reason in STOPPED))
"""The arena ended while the match was played: this can happen to any bot, and says nothing about it."""


@dataclass(frozen=True, slots=True)
class VoidCount:
    """The void matches of one bot."""

    bot: str
    voids: int
    matches: int
    """All of its matches, void ones and those that have not ended included."""
    conspicuous: bool
    """Whether it has far more of them than there are without it, those left out whose match the arena's end cut off."""


class VoidCounts(Repository):
    """The void matches of all bots."""

    def add(self, bots: Sequence[str]) -> None:
        """Count a void match of these bots."""
        self._update(BOTS, BOTS.c.id.in_(set(bots)), void_matches=BOTS.c.void_matches + 1)

    def of(self, bot: str) -> int:
        """Return how many matches of a bot were void; 0 if there is no such bot."""
        query = select(BOTS.c.void_matches).where(BOTS.c.id == bot)
        return int(self._connection.execute(query).scalar_one_or_none() or 0)

    def all(self) -> tuple[VoidCount, ...]:
        """Return bots with void matches, the most first, at most MOST_LISTED."""
        query = (
            select(BOTS.c.id, BOTS.c.void_matches)
            .where(BOTS.c.void_matches > 0)
            .order_by(BOTS.c.void_matches.desc())
            .limit(MOST_LISTED)
        )
        found = {row.id: int(row.void_matches) for row in self._connection.execute(query)}
        if not found:
            return ()
        matches = self._with(list(found))
        void, every = self._count(_VOID, ~_STOPPED), self._count()
        many = [bot for bot, voids in found.items() if voids >= CONSPICUOUS_VOIDS]
        stopped, void_with = self._with(many, _VOID, _STOPPED), self._with(many, _VOID, ~_STOPPED)
        return tuple(
            VoidCount(
                bot,
                voids,
                matches[bot],
                is_conspicuous(
                    voids - stopped.get(bot, 0),
                    matches[bot],
                    void - void_with.get(bot, 0),
                    every - matches[bot],
                ),
            )
            for bot, voids in found.items()
        )

    def _count(self, *which: ColumnElement[bool]) -> int:
        """Return how many such matches there are."""
        return self._number(select(func.count()).select_from(MATCHES).where(*which))

    def _with(self, bots: Sequence[str], *which: ColumnElement[bool]) -> dict[str, int]:
        """Return, by bot, in how many such matches it has a seat, those included that the organiser made void."""
        query = (
            select(MATCH_SEATS.c.bot, func.count().label("matches"))
            .join(MATCHES, MATCHES.c.id == MATCH_SEATS.c.match_id)
            .where(MATCH_SEATS.c.bot.in_(bots), *which)
            .group_by(MATCH_SEATS.c.bot)
        )
        return {row.bot: row.matches for row in self._connection.execute(query)}


def is_conspicuous(voids: int, matches: int, voids_without: int, matches_without: int) -> bool:
    """Whether these are far more void matches than there are without the bot.

    It is not compared with its opponents: its void matches count for them, too. Whole numbers, so no rounding decides.
    """
    if voids < CONSPICUOUS_VOIDS or not matches_without:
        return False
    return voids * matches_without >= CONSPICUOUS_FACTOR * voids_without * matches
