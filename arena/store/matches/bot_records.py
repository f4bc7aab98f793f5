"""The record of a bot: its results against each opponent, how its seats ended, and its totals.

FINISHED matches count, rated or not. The arena gives a bot one seat of a match.
"""

from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import (
    Boolean,
    ColumnElement,
    Select,
    String,
    Subquery,
    and_,
    bindparam,
    case,
    distinct,
    exists,
    func,
    or_,
    select,
)

from arena.core.endings.terminations import Fault, Termination
from arena.core.match import MatchState
from arena.store.repository import Prepared, Repository, from_row
from arena.store.schema import MATCH_GROUPS, MATCH_SEATS, MATCHES


@dataclass(frozen=True, slots=True)
class OpponentRow:
    """The results of a bot against one opponent, by their placings in the matches in which both had a seat."""

    opponent: str
    matches: int
    wins: int
    ties: int
    compared: int
    """Matches that neither of them forfeited."""
    compared_games: int
    """Games that these are of."""
    score_difference: int | None
    """The bot's score less the opponent's, the sum of these; None if there is none."""
    last_match: int
    last_match_us: int

    @property
    def losses(self) -> int:
        """Matches in which the bot was placed behind the opponent."""
        return self.matches - self.wins - self.ties


@dataclass(frozen=True, slots=True)
class OpponentPlace:
    """A line's place in the listing of opponents: the most matches first, then by bot."""

    matches: int
    opponent: str


@dataclass(frozen=True, slots=True)
class EndingRow:
    """How often the seats of a bot ended in one way."""

    termination: Termination
    fault: Fault
    matches: int
    last_match: int
    last_match_us: int


@dataclass(frozen=True, slots=True)
class TotalsRow:
    """The matches of a bot together."""

    matches: int
    firsts: int
    """Matches with others in which it was placed first."""
    ties: int
    """Those of `firsts` in which others were placed first, too."""


_UNBOUNDED: Final = 2**62
"""More matches than there ever are."""


class BotRecords(Repository):
    """The records of all bots.

    `ladder`: of which only matches count; None: of none. `public`: whether matches are left out that are for organisers
    while standings are frozen.
    """

    def opponents(
        self, bot: str, *, ladder: str | None, public: bool = True, after: OpponentPlace | None, limit: int
    ) -> tuple[OpponentRow, ...]:
        """Return the bots that it has met, those after a place; None: the first."""
        place = after or OpponentPlace(_UNBOUNDED, "")
        which = {"bot": bot, "ladder": ladder, "public": public}
        values = {"below": place.matches, "behind": place.opponent, "limit": limit}
        return self._all(_OPPONENTS, lambda row: from_row(OpponentRow, row), **which, **values)

    def endings(self, bot: str, *, ladder: str | None, public: bool = True) -> tuple[EndingRow, ...]:
        """Return how its seats ended, the most matches first, then by number."""
        return self._all(_ENDINGS, _ending, bot=bot, ladder=ladder, public=public)

    def totals(self, bot: str, *, ladder: str | None, public: bool = True) -> TotalsRow:
        """Return its matches together."""
        which = {"bot": bot, "ladder": ladder, "public": public}
        return self._all(_TOTALS, lambda row: from_row(TotalsRow, row), **which)[0]


def _ending(row: Any) -> EndingRow:
    return from_row(EndingRow, row, termination=Termination(row.termination), fault=Fault(row.fault))


def _count(*conditions: ColumnElement[bool]) -> ColumnElement[int]:
    """Count the rows for which all conditions hold."""
    return func.count(case((and_(*conditions), 1)))


def _with_end_of_last(rows: Subquery) -> Select[Any]:
    """Select the rows, the most matches first, each with the end of its newest match."""
    ended = MATCHES.c.ended_us.label("last_match_us")
    joined = select(rows, ended).join_from(rows, MATCHES, MATCHES.c.id == rows.c.last_match)
    return joined.order_by(rows.c.matches.desc(), rows.c[0], rows.c[1])


_MINE: Final = MATCH_SEATS.alias("mine")
_THEIRS: Final = MATCH_SEATS.alias("theirs")
_PLAYED: Final = _MINE.join(MATCHES)

_FROZEN: Final = select(MATCH_GROUPS.c.id).where(MATCH_GROUPS.c.frozen.is_(True))

_COUNTS: Final = and_(
    _MINE.c.bot == bindparam("bot"),
    MATCHES.c.state == MatchState.FINISHED.value,
    or_(bindparam("ladder", type_=String).is_(None), MATCHES.c.ladder == bindparam("ladder")),
    or_(bindparam("public", type_=Boolean).is_(False), MATCHES.c.group_id.not_in(_FROZEN)),
)
"""The conditions for a seat of the bot and its match."""

_MEETINGS: Final = func.count()
_COMPARED: Final = and_(
    _MINE.c.termination == Termination.NORMAL.value, _THEIRS.c.termination == Termination.NORMAL.value
)

_OPPONENTS: Final = Prepared(
    _with_end_of_last(
        select(
            _THEIRS.c.bot.label("opponent"),
            _MEETINGS.label("matches"),
            _count(_MINE.c.placing < _THEIRS.c.placing).label("wins"),
            _count(_MINE.c.placing == _THEIRS.c.placing).label("ties"),
            _count(_COMPARED).label("compared"),
            func.count(distinct(case((_COMPARED, MATCHES.c.game)))).label("compared_games"),
            func.sum(case((_COMPARED, _MINE.c.score - _THEIRS.c.score))).label("score_difference"),
            func.max(MATCHES.c.id).label("last_match"),
        )
        .select_from(_PLAYED.join(_THEIRS, _THEIRS.c.match_id == MATCHES.c.id))
        .where(_COUNTS, _THEIRS.c.bot != _MINE.c.bot)
        .group_by(_THEIRS.c.bot)
        .having(
            or_(
                bindparam("below") > _MEETINGS,
                and_(bindparam("below") == _MEETINGS, _THEIRS.c.bot > bindparam("behind")),
            )
        )
        .order_by(_MEETINGS.desc(), _THEIRS.c.bot)
        .limit(bindparam("limit"))
        .subquery()
    )
)

_ENDINGS: Final = Prepared(
    _with_end_of_last(
        select(
            *_MINE.c["termination", "fault"],
            func.count().label("matches"),
            func.max(MATCHES.c.id).label("last_match"),
        )
        .select_from(_PLAYED)
        .where(_COUNTS)
        .group_by(*_MINE.c["termination", "fault"])
        .subquery()
    )
)

_OTHER_SEAT: Final = and_(_THEIRS.c.match_id == _MINE.c.match_id, _THEIRS.c.seat != _MINE.c.seat)
_FIRST: Final = _MINE.c.placing == 1

_TOTALS: Final = Prepared(
    select(
        func.count().label("matches"),
        _count(_FIRST, exists().where(_OTHER_SEAT)).label("firsts"),
        _count(_FIRST, exists().where(_OTHER_SEAT, _THEIRS.c.placing == 1)).label("ties"),
    )
    .select_from(_PLAYED)
    .where(_COUNTS)
)
