"""The entries of bots in ladders, with their ratings and counters."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import (
    Boolean,
    ColumnElement,
    ScalarSelect,
    Select,
    and_,
    bindparam,
    case,
    func,
    or_,
    select,
    update,
)

from arena.core.endings.terminations import Termination
from arena.core.errors import ErrorReason, NotFoundError
from arena.core.match import MatchState
from arena.core.match_record import MatchRecord, SeatRecord
from arena.core.rating.ledger import EntryKind
from arena.core.rating.rating import INITIAL, Rating
from arena.store.repository import Prepared, Repository, from_row, row_values
from arena.store.schema import (
    BOTS,
    LADDER_ENTRIES,
    LADDERS,
    MATCH_GROUPS,
    MATCH_SEATS,
    MATCHES,
    RATING_LEDGER,
)

_NOT_FORFEITED: Final = MATCH_SEATS.c.termination == Termination.NORMAL.value


@dataclass(frozen=True, slots=True)
class EntryRow:
    """A bot in a ladder.

    The counters are over the matches of the season's complete match groups that have a result.
    """

    ladder: str
    bot: str
    owner: str
    joined_us: int
    active: bool
    """False once it was withdrawn."""
    last_group_number: int
    """The number of the newest match group it was put into, or of the newest there was when it joined."""
    rating_milli: int
    information: int
    version: str
    """The version label that its last matches that count were played with; empty before the first."""
    version_matches: int
    """Rated matches of that version."""
    matches: int
    placing_sum: int
    forfeits: int
    decisions: int
    used_us: int
    longest_us: int
    """Longest thinking time of one decision."""
    best_score: int | None
    """The best score of its solo matches that it did not forfeit; None without one."""
    anchor: bool
    """Whether its rating is fixed."""
    locked: bool = False
    """Whether only an organiser can enter it again."""

    @property
    def rating(self) -> Rating:
        """The rating as `arena.core.rating` computes with it."""
        return Rating(self.rating_milli, self.information, self.version, self.version_matches)


@dataclass(frozen=True, slots=True)
class Contender:
    """A bot that may be paired: of its entry what matchmaking goes by, since it goes through all of them."""

    bot: str
    owner: str
    rating_milli: int
    information: int
    last_group_number: int


@dataclass(frozen=True, slots=True)
class EntryPlace:
    """A line's place in the order of the standings."""

    rating_milli: int
    bot: str
    played: bool = True
    """Whether anything was counted of it; those that have not played yet come last."""


@dataclass(frozen=True, slots=True)
class EntryCounts:
    """What is added to an entry's counters when a match group is complete."""

    matches: int
    placing_sum: int
    forfeits: int
    decisions: int
    used_us: int
    longest_us: int
    best_score: int | None


_SUMS: Final = ("matches", "placing_sum", "forfeits", "decisions", "used_us")
"""Fields of EntryCounts that are added up."""


class Entries(Repository):
    """The entries of all ladders."""

    def join(self, ladder: str, bot: str, now_us: int) -> None:
        """Enter the bot: with the rating of a new bot, or with its old one if it has been here before."""
        newest = select(LADDERS.c.groups_created).where(LADDERS.c.id == ladder).scalar_subquery()
        if self.find(ladder, bot) is not None:
            left = _key(ladder, bot), LADDER_ENTRIES.c.active.is_(False)
            self._update(LADDER_ENTRIES, *left, active=True, locked=False, last_group_number=newest)
            return
        self._insert(
            LADDER_ENTRIES,
            ladder=ladder,
            bot=bot,
            joined_us=now_us,
            active=True,
            last_group_number=newest,
            **row_values(INITIAL),
            **dict.fromkeys((*_SUMS, "longest_us"), 0),
            best_score=None,
            anchor=False,
        )

    def leave(self, ladder: str, bot: str, *, locked: bool = False) -> None:
        """Withdraw the bot: it gets no new matches, its rating stays. Raises NotFoundError (ENTRY_NOT_FOUND).

        `locked`: only an organiser can enter it again; an entry that is locked already stays so.
        """
        entry = self.get(ladder, bot)
        self._update(LADDER_ENTRIES, _key(ladder, bot), active=False, locked=locked or entry.locked)

    def find(self, ladder: str, bot: str) -> EntryRow | None:
        """Return the entry, active or not; None if there is none."""
        return self._first(_OF_BOT, _entry, ladder=ladder, bot=bot)

    def get(self, ladder: str, bot: str) -> EntryRow:
        """Return the entry, active or not. Raises NotFoundError (ENTRY_NOT_FOUND)."""
        entry = self.find(ladder, bot)
        if entry is None:
            sentence = f"The bot {bot} is not entered in the ladder {ladder}."
            raise NotFoundError(ErrorReason.ENTRY_NOT_FOUND, sentence, ladder=ladder, bot=bot)
        return entry

    def of_bot(self, bot: str, *, show_hidden: bool, after: str | None, limit: int) -> tuple[EntryRow, ...]:
        """Return the entries of a bot, active or not, by ladder, those after a ladder; None: the first.

        `show_hidden`: those on hidden ladders too.
        """
        # The key begins with the ladder: "IN" makes SQLite look each ladder up instead of going through all entries.
        ladders = select(LADDERS.c.id)
        of_any = LADDER_ENTRIES.c.ladder.in_(
            ladders if show_hidden else ladders.where(LADDERS.c.hidden.is_(False))
        )
        query = _ENTRIES.where(LADDER_ENTRIES.c.bot == bot, of_any)
        return self._page(query, LADDER_ENTRIES.c.ladder, after=after, limit=limit, make=_entry)

    def of_bots(self, ladder: str, bots: Sequence[str]) -> tuple[EntryRow, ...]:
        """Return the entries of these bots, by bot."""
        found = (self.find(ladder, bot) for bot in sorted(set(bots)))
        return tuple(entry for entry in found if entry is not None)

    def active(self, ladder: str) -> tuple[Contender, ...]:
        """Return all entries that may be paired, by bot: active, the bot not hidden."""
        return self._all(_ACTIVE, lambda row: Contender(*row), ladder=ladder)

    def all(self, ladder: str) -> tuple[EntryRow, ...]:
        """Return all entries there ever were, by bot."""
        return self._all(_of_ladder(ladder), _entry)

    def versions(self, ladder: str) -> dict[str, str]:
        """Return `EntryRow.version` of all entries there ever were of bots that are not hidden, by bot."""
        return dict(self._all(_VERSIONS, lambda row: (row.bot, row.version), ladder=ladder))

    def count_active(self, ladder: str) -> int:
        """Return how many entries may be paired."""
        return self._number(_COUNT_ACTIVE, ladder=ladder)

    def standings(self, ladder: str, *, after: EntryPlace | None, limit: int) -> tuple[EntryRow, ...]:
        """Return entries of bots that are not hidden, best rating first, then by bot.

        First those of which matches were counted, then all others in the same order: their rating says nothing yet.
        """
        if after is not None and not after.played:
            return self._half(ladder, after, limit, played=False)
        rows = self._half(ladder, after, limit, played=True)
        return rows + self._half(ladder, None, limit - len(rows), played=False)

    def _half(
        self, ladder: str, after: EntryPlace | None, limit: int, *, played: bool
    ) -> tuple[EntryRow, ...]:
        """Return of the standings those that have played, or the others."""
        half: dict[str, object] = {"ladder": ladder, "played": played}
        if after is None:
            return self._all(_STANDINGS, _entry, **half, limit=limit)
        half["rating"] = after.rating_milli
        equals = self._all(_EQUALS, _entry, **half, bot=after.bot, limit=limit)
        return equals + self._all(_BELOW, _entry, **half, limit=limit - len(equals))

    def count_before(self, ladder: str, place: EntryPlace) -> int:
        """Return how many lines of the standings with a rank come before this place of a bot that has played."""
        return self._number(_COUNT_BEFORE, ladder=ladder, rating=place.rating_milli, bot=place.bot)

    def count_ranked(self, ladder: str) -> int:
        """Return how many lines of the standings have a rating that says something."""
        return self._number(_COUNT_RANKED, ladder=ladder)

    def note_group(self, ladder: str, bots: Sequence[str], number: int) -> None:
        """Store that these bots were put into the ladder's match group of this number."""
        changes = [{"of_ladder": ladder, "of_bot": bot, "last_group_number": number} for bot in bots]
        _CHANGE.run_all(self._connection, changes)

    def set_rating(self, ladder: str, bot: str, rating: Rating) -> None:
        """Set the rating of the entry."""
        _CHANGE.run(self._connection, {"of_ladder": ladder, "of_bot": bot, **row_values(rating)})

    def set_anchor(self, ladder: str, bot: str, *, anchor: bool) -> None:
        """Store whether the rating of the entry is fixed."""
        self._update(LADDER_ENTRIES, _key(ladder, bot), anchor=anchor)

    def reset_counts(self, ladder: str) -> None:
        """Set the counters of all entries of the ladder to those of a new season."""
        none = dict.fromkeys((*_SUMS, "longest_us"), 0)
        self._update(LADDER_ENTRIES, LADDER_ENTRIES.c.ladder == ladder, **none, best_score=None)

    def add_counts(self, before: EntryRow, counts: EntryCounts, rating: Rating) -> None:
        """Add to the entry's counters and set its rating; `before` was read in this transaction."""
        values = {
            **row_values(rating),
            **{name: getattr(before, name) + getattr(counts, name) for name in _SUMS},
            "longest_us": max(before.longest_us, counts.longest_us),
            "best_score": _better(before.best_score, counts.best_score),
        }
        _CHANGE.run(self._connection, {"of_ladder": before.ladder, "of_bot": before.bot, **values})

    def take_back_counts(self, before: EntryRow, counts: EntryCounts) -> None:
        """Subtract from the entry's counters, and compute its longest thinking time and best score again.

        To be called when the matches are void, or the ledger has taken their group back, already. `before` was read in
        this transaction.
        """
        longest_us, best_score = self._extremes(before.ladder, before.bot)
        sums = {name: getattr(before, name) - getattr(counts, name) for name in _SUMS}
        is_it = _key(before.ladder, before.bot)
        self._update(LADDER_ENTRIES, is_it, **sums, longest_us=longest_us, best_score=best_score)

    def _extremes(self, ladder: str, bot: str) -> tuple[int, int | None]:
        """Return the bot's longest thinking time of one decision and its best solo score, of what counts."""
        void = select(RATING_LEDGER.c.group_id).where(
            RATING_LEDGER.c.ladder == ladder,
            RATING_LEDGER.c.kind == EntryKind.VOID.value,
            RATING_LEDGER.c.group_id.is_not(None),
        )
        best = case((and_(~MATCHES.c.rated, _NOT_FORFEITED), MATCH_SEATS.c.score))
        query = (
            select(func.max(MATCH_SEATS.c.longest_us).label("longest_us"), func.max(best).label("best_score"))
            .select_from(MATCH_SEATS.join(MATCHES).join(MATCH_GROUPS))
            .where(
                MATCH_SEATS.c.bot == bot,
                MATCHES.c.ladder == ladder,
                MATCHES.c.state == MatchState.FINISHED.value,
                MATCH_GROUPS.c.season == current_season(ladder),
                MATCHES.c.group_id.not_in(void),
            )
        )
        extremes = self._connection.execute(query).one()
        return extremes.longest_us or 0, extremes.best_score


def current_season(ladder: str) -> ScalarSelect[int]:
    """Select the number of the season that a ladder is in."""
    return select(LADDERS.c.season).where(LADDERS.c.id == ladder).scalar_subquery()


def _of_ladder(ladder: str) -> Select[Any]:
    return _ENTRIES.where(LADDER_ENTRIES.c.ladder == ladder).order_by(LADDER_ENTRIES.c.bot)


def _better(one: int | None, other: int | None) -> int | None:
    """Return the greater of two scores, as far as there are any."""
    return max((score for score in (one, other) if score is not None), default=None)


def _key(ladder: str, bot: str) -> ColumnElement[bool]:
    return and_(LADDER_ENTRIES.c.ladder == ladder, LADDER_ENTRIES.c.bot == bot)


_ENTRIES: Final = select(LADDER_ENTRIES, BOTS.c.owner).join_from(LADDER_ENTRIES, BOTS)

_OF_BOT: Final = Prepared(
    _ENTRIES.where(LADDER_ENTRIES.c.ladder == bindparam("ladder"), LADDER_ENTRIES.c.bot == bindparam("bot"))
)

_ACTIVE: Final = Prepared(
    select(
        LADDER_ENTRIES.c.bot,
        BOTS.c.owner,
        *LADDER_ENTRIES.c["rating_milli", "information", "last_group_number"],
    )
    .join_from(LADDER_ENTRIES, BOTS)
    .where(
        LADDER_ENTRIES.c.ladder == bindparam("ladder"),
        LADDER_ENTRIES.c.active.is_(True),
        BOTS.c.hidden.is_(False),
    )
    .order_by(LADDER_ENTRIES.c.bot)
)

_VERSIONS: Final = Prepared(
    select(*LADDER_ENTRIES.c["bot", "version"])
    .join_from(LADDER_ENTRIES, BOTS)
    .where(LADDER_ENTRIES.c.ladder == bindparam("ladder"), BOTS.c.hidden.is_not(True))
    .order_by(LADDER_ENTRIES.c.bot)
)

# "IS NOT true" can be looked up in no index: else the bots that are shown might be gone through first, and the ladder
# be read as a whole and sorted.
_SHOWN: Final = _ENTRIES.where(
    LADDER_ENTRIES.c.ladder == bindparam("ladder"),
    (LADDER_ENTRIES.c.matches > 0) == bindparam("played", type_=Boolean),
    BOTS.c.hidden.is_not(True),
).limit(bindparam("limit"))

_STANDINGS: Final = Prepared(_SHOWN.order_by(LADDER_ENTRIES.c.rating_milli.desc(), LADDER_ENTRIES.c.bot))

_EQUALS: Final = Prepared(
    _SHOWN.where(
        LADDER_ENTRIES.c.rating_milli == bindparam("rating"), LADDER_ENTRIES.c.bot > bindparam("bot")
    ).order_by(LADDER_ENTRIES.c.bot)
)
"""Those with the rating of a place, behind it."""

_BELOW: Final = Prepared(
    _SHOWN.where(LADDER_ENTRIES.c.rating_milli < bindparam("rating")).order_by(
        LADDER_ENTRIES.c.rating_milli.desc(), LADDER_ENTRIES.c.bot
    )
)

_COUNT: Final = (
    select(func.count())
    .select_from(LADDER_ENTRIES.join(BOTS))
    .where(LADDER_ENTRIES.c.ladder == bindparam("ladder"))
)

_COUNT_ACTIVE: Final = Prepared(_COUNT.where(LADDER_ENTRIES.c.active.is_(True), BOTS.c.hidden.is_(False)))

_RATING: Final = LADDER_ENTRIES.c.rating_milli
_COUNT_BEFORE: Final = Prepared(
    _COUNT.where(
        bindparam("rating") <= _RATING,
        or_(bindparam("rating") < _RATING, LADDER_ENTRIES.c.bot < bindparam("bot")),
        LADDER_ENTRIES.c.matches > 0,
        LADDER_ENTRIES.c.anchor.is_(False),
        BOTS.c.hidden.is_(False),
    )
)

_COUNT_RANKED: Final = Prepared(
    _COUNT.where(
        LADDER_ENTRIES.c.matches > 0, LADDER_ENTRIES.c.anchor.is_not(True), BOTS.c.hidden.is_not(True)
    )
)

_CHANGE: Final = Prepared(
    update(LADDER_ENTRIES).where(
        LADDER_ENTRIES.c.ladder == bindparam("of_ladder"), LADDER_ENTRIES.c.bot == bindparam("of_bot")
    )
)


def _entry(row: Any) -> EntryRow:
    return from_row(EntryRow, row, active=bool(row.active), anchor=bool(row.anchor), locked=bool(row.locked))


def finished_matches(matches: Sequence[MatchRecord]) -> tuple[MatchRecord, ...]:
    """Return the matches of a group that have a result, by slot."""
    finished = (each for each in matches if each.state is MatchState.FINISHED)
    return tuple(sorted(finished, key=lambda each: each.slot))


def rated_matches(matches: Sequence[MatchRecord]) -> tuple[MatchRecord, ...]:
    """Return the matches of a group that count for ratings, by slot."""
    return tuple(each for each in finished_matches(matches) if each.terms.rated)


def forfeited(seat: SeatRecord) -> bool:
    """Whether the seat of a match that has ended was forfeited."""
    return seat.ending is not None and seat.ending.forfeited


def count_seats(bot: str, matches: Sequence[MatchRecord]) -> EntryCounts:
    """Return what these matches add to the bot's counters."""
    seats = [seat for match in matches for seat in match.seats if seat.bot == bot]
    alone = [match.seats[0] for match in matches if match.bots == (bot,)]
    return EntryCounts(
        matches=len(seats),
        placing_sum=sum(seat.placing for seat in seats),
        forfeits=sum(forfeited(seat) for seat in seats),
        decisions=sum(seat.decisions for seat in seats),
        used_us=sum(seat.used_us for seat in seats),
        longest_us=max((seat.longest_us for seat in seats), default=0),
        best_score=max((seat.score for seat in alone if not forfeited(seat)), default=None),
    )
