"""Counts of matches."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from sqlalchemy import Connection, Select, bindparam, func, or_, select

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
        """Return how many matches of a ladder each bot has finished at `since_us` or later; none: left out."""
        finished = select(MATCHES.c.id, MATCHES.c.ended_us).where(
            MATCHES.c.ladder == ladder, MATCHES.c.state == MatchState.FINISHED.value
        )
        counts: Counter[str] = Counter()
        for matches in ended_since(self._connection, finished, since_us, _READ_BACK):
            seats = select(MATCH_SEATS.c.match_id, MATCH_SEATS.c.bot)
            each_once = seats.where(MATCH_SEATS.c.match_id.in_(matches)).distinct()
            counts.update(row.bot for row in self._connection.execute(each_once))
        return dict(counts)


def ended_since(
    connection: Connection, matches: Select[tuple[int, int | None]], since_us: int, at_once: int
) -> Iterator[list[int]]:
    """Yield the ids of those matches that ended at `since_us` or later, newest first, piece by piece.

    It reads from the newest match back until a row of `at_once` had ended before: never the whole history. `matches`:
    their ids and ends.
    """
    newest = matches.order_by(MATCHES.c.id.desc()).limit(at_once)
    ended = connection.execute(newest).all()
    while recent := [match.id for match in ended if match.ended_us >= since_us]:
        yield recent
        ended = connection.execute(newest.where(MATCHES.c.id < ended[-1].id)).all()


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
