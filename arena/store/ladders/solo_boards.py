"""The boards of solo ladders, summed up as soon as they are complete (docs/ratings.md, "Solo")."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import groupby
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, and_, delete, select

from arena.core.endings.terminations import Termination
from arena.core.match import MatchState
from arena.core.match_record import MatchRecord
from arena.core.solo.boards import SoloTotals, one_board
from arena.store.json_columns import pack, unpack_names, unpack_numbers
from arena.store.ladders.entries import Entries, count_seats, current_season, finished_matches, forfeited
from arena.store.repository import Repository
from arena.store.schema import MATCH_GROUPS, MATCH_SEATS, MATCHES, SOLO_BOARDS

_CHUNK: Final = 1_000
"""Rows are read in pieces of this many."""


class SoloBoards(Repository):
    """The boards of all solo ladders. A board with a void match counts without it."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self._entries = Entries(connection)

    def all(self, ladder: str) -> tuple[SoloTotals, ...]:
        """Return all complete boards of the ladder, those of the same players summed up."""
        query = select(SOLO_BOARDS).where(SOLO_BOARDS.c.ladder == ladder).order_by(SOLO_BOARDS.c.players)
        return self._all(query, _boards)

    def counted(self, ladder: str) -> Iterator[SoloTotals]:
        """Yield each complete board of the ladder, counted from its matches."""
        query = (
            select(MATCHES.c.group_id, *MATCH_SEATS.c["bot", "version", "score", "termination"])
            .select_from(MATCHES.join(MATCH_SEATS).join(MATCH_GROUPS))
            .where(*_counts(ladder))
            .order_by(MATCHES.c.group_id)
        )
        rows = self._connection.execution_options(yield_per=_CHUNK).execute(query)
        for _, seats in groupby(rows, key=lambda row: row.group_id):
            normal = Termination.NORMAL.value
            yield _board((seat, seat.termination != normal) for seat in seats)

    def clear(self, ladder: str) -> None:
        """Remove all boards of the ladder: a new season begins."""
        self._connection.execute(delete(SOLO_BOARDS).where(SOLO_BOARDS.c.ladder == ladder))

    def close(self, ladder: str, matches: Sequence[MatchRecord]) -> None:
        """Count the matches of a board that is complete. `matches`: all of the group."""
        finished = finished_matches(matches)
        self._add(ladder, finished)
        for before in self._entries.of_bots(ladder, [match.bots[0] for match in finished]):
            own = [match for match in finished if match.bots == (before.bot,)]
            rating = replace(before.rating, version=own[-1].seats[0].version or "")
            self._entries.add_counts(before, count_seats(before.bot, own), rating)

    def take_back(self, ladder: str, matches: Sequence[MatchRecord], void: int) -> None:
        """Take one match of a complete board back; the others still count.

        `matches`: all of the group as they were before; `void`: the match's id. The match is void already.
        """
        finished = finished_matches(matches)
        taken = [match for match in finished if match.id == void]
        if not taken:
            return
        self._add(ladder, finished, taken_back=True)
        self._add(ladder, [match for match in finished if match.id != void])
        for before in self._entries.of_bots(ladder, [match.bots[0] for match in taken]):
            self._entries.take_back_counts(before, count_seats(before.bot, taken))
            version = self._newest_version(ladder, before.bot)
            if version != before.version:
                self._entries.set_rating(ladder, before.bot, replace(before.rating, version=version))

    def _newest_version(self, ladder: str, bot: str) -> str:
        """Return the version that played the newest board of the bot that counts; empty without one."""
        query = (
            select(MATCH_SEATS.c.version)
            .select_from(MATCHES.join(MATCH_SEATS).join(MATCH_GROUPS))
            .where(MATCH_SEATS.c.bot == bot, *_counts(ladder))
            .order_by(MATCHES.c.group_id.desc())
            .limit(1)
        )
        return self._connection.execute(query).scalar() or ""

    def _add(self, ladder: str, finished: Sequence[MatchRecord], *, taken_back: bool = False) -> None:
        """Add the board of these matches to those of its players, or take it back."""
        if not finished:
            return
        board = _board((match.seats[0], forfeited(match.seats[0])) for match in finished)
        key = {"ladder": ladder, "players_sha256": _hash(board.players)}
        is_it = and_(*(SOLO_BOARDS.c[name] == value for name, value in key.items()))
        known = self._first(select(SOLO_BOARDS).where(is_it), _boards)
        if known is None:
            assert not taken_back, "a complete board is stored"
            self._insert(SOLO_BOARDS, **key, players=pack(board.players), **_sums(board))
            return
        boards = known.minus(board) if taken_back else known.plus(board)
        if boards.count:
            self._update(SOLO_BOARDS, is_it, **_sums(boards))
        else:
            self._connection.execute(delete(SOLO_BOARDS).where(is_it))


def _board(seats: Iterable[tuple[Any, bool]]) -> SoloTotals:
    """Return the board of these seats, each with whether it was forfeited: it scores 0 then, whatever its score was."""
    return one_board({f"{seat.bot}/{seat.version or ''}": 0 if lost else seat.score for seat, lost in seats})


def _counts(ladder: str) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions for a match that counts: it has a result, and its board is complete in this season."""
    return (
        MATCHES.c.ladder == ladder,
        MATCHES.c.state == MatchState.FINISHED.value,
        MATCH_GROUPS.c.season == current_season(ladder),
    )


def _hash(players: tuple[str, ...]) -> str:
    """Return the hash of the players for the key: 64 hex digits."""
    return sha256(pack(players).encode("utf-8")).hexdigest()


def _sums(boards: SoloTotals) -> dict[str, object]:
    return {"boards": boards.count, "scores": pack(boards.scores), "squares": pack(boards.squares)}


def _boards(row: Any) -> SoloTotals:
    return SoloTotals(
        unpack_names(row.players), row.boards, unpack_numbers(row.scores), unpack_numbers(row.squares)
    )
