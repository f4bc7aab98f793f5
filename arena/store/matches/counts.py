"""Counts of matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import bindparam, func, or_, select

from arena.core.match import MatchState
from arena.core.match_record import OPEN_STATES
from arena.store.repository import Prepared, Repository
from arena.store.schema import MATCH_GROUPS, MATCH_SEATS, MATCHES

_READ_BACK: Final = 1_000
"""As many matches as are in play at once: no match ends so many places after a younger one."""


class MatchTotals(Repository):
    """Counts matches."""

    def in_state(self, state: MatchState) -> int:
        """Return how many matches of the whole arena are in this state."""
        query = select(func.count()).select_from(MATCHES).where(MATCHES.c.state == state.value)
        return self._number(query)

    def in_open_groups(self, ladder: str, bots: Sequence[str]) -> dict[str, int]:
        """Return how many matches of incomplete groups each of these bots has, without void ones."""
        # Of all seats, not of those of the bots: there are few in open groups, and a bot has had many.
        counts = Counter(row.bot for row in _IN_OPEN_GROUPS.rows(self._connection, {"ladder": ladder}))
        return {bot: counts[bot] for bot in bots if bot in counts}

    def finished_since(self, ladder: str, since_us: int) -> dict[str, int]:
        """Return how many matches of a ladder each bot has finished at `since_us` or later; bots with none are
        missing.

        It reads from the newest match back until a long row of them had ended before: never the whole history.
        """
        counts: Counter[str] = Counter()
        before = None
        while True:
            ended = self._newest_finished(ladder, before)
            recent = [match.id for match in ended if match.ended_us >= since_us]
            if not recent:
                return dict(counts)
            seats = select(MATCH_SEATS.c.match_id, MATCH_SEATS.c.bot).where(
                MATCH_SEATS.c.match_id.in_(recent)
            )
            counts.update(row.bot for row in self._connection.execute(seats.distinct()))
            before = ended[-1].id

    def _newest_finished(self, ladder: str, before: int | None) -> Sequence[Any]:
        """Return id and end of finished matches, newest first, those with an id below `before`."""
        query = (
            select(MATCHES.c.id, MATCHES.c.ended_us)
            .where(MATCHES.c.ladder == ladder, MATCHES.c.state == MatchState.FINISHED.value)
            .order_by(MATCHES.c.id.desc())
            .limit(_READ_BACK)
        )
        if before is not None:
            query = query.where(MATCHES.c.id < before)
        return self._connection.execute(query).all()


_NOT_VOID: Final = (*OPEN_STATES, MatchState.FINISHED)

_IN_OPEN_GROUPS: Final = Prepared(
    select(MATCH_SEATS.c.bot)
    .select_from(MATCH_GROUPS.join(MATCHES).join(MATCH_SEATS))
    .where(
        MATCH_GROUPS.c.ladder == bindparam("ladder"),
        MATCH_GROUPS.c.completed_us.is_(None),
        or_(*(MATCHES.c.state == state.value for state in _NOT_VOID)),
    )
)
