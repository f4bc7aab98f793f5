"""Seasons of ladders: the close of one, and the final standings of those closed (docs/seasons.md)."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Final

from sqlalchemy import Connection, bindparam, select

from arena.core.errors import ErrorReason, FailedPreconditionError, NotFoundError
from arena.core.rating.ledger import season_entry
from arena.core.rating.seasons import SeasonClose
from arena.core.seasons import (
    FinalLine,
    FinalStandings,
    document_sha256,
    ranked,
    read_document,
    swapped,
)
from arena.core.solo.standings import solo_scores
from arena.core.tournaments import NO_RANK
from arena.store.ladders.entries import Entries, EntryRow
from arena.store.ladders.ladders import LadderRow, Ladders
from arena.store.ladders.ledger import Ledger
from arena.store.ladders.solo_boards import SoloBoards
from arena.store.repository import Prepared, Repository, from_row, row_values
from arena.store.schema import SEASONS


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """A closed season."""

    ladder: str
    number: int
    """From 1."""
    start_us: int
    close_us: int
    keep_percent: int
    """How much of its distance from 1500 points each rating kept; 0 on a solo ladder."""
    bots: int
    """Lines of its final standings."""
    document: str
    """The final standings, as `FinalStandings.document`."""
    key_id: str
    """The log key that signed the document."""
    signature: bytes
    """Of `signed_message(document)`, 64 bytes."""


@dataclass(frozen=True, slots=True)
class Signature:
    """The signature of a document."""

    key_id: str
    signature: bytes
    """64 bytes."""


@dataclass(frozen=True, slots=True)
class Move:
    """A bot that has moved from one division to another."""

    bot: str
    source: str
    """The ladder that it has left."""
    target: str
    """The ladder that it has joined."""


class Seasons(Repository):
    """The seasons of all ladders."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self._ladders = Ladders(connection)
        self._entries = Entries(connection)
        self._ledger = Ledger(connection)
        self._solo_boards = SoloBoards(connection)

    def close(
        self, ladder: str, keep_percent: int, sign: Callable[[str], Signature], now_us: int
    ) -> SeasonRow:
        """Close the season of the ladder and begin the next one; return the one closed.

        The final standings are stored, the ratings are pulled to the mean by an entry of the ledger, the counters of
        all entries begin anew, and so do the boards of a solo ladder. Match groups that are open count for the season
        in which they complete. `sign` signs the document of the final standings.

        Raises NotFoundError (LADDER_NOT_FOUND), FailedPreconditionError (TOO_FEW_MATCHES: nothing counted yet).
        """
        row = self._ladders.get(ladder)
        entries = self._entries.all(ladder)
        if not any(entry.matches for entry in entries):
            raise FailedPreconditionError(
                ErrorReason.TOO_FEW_MATCHES,
                f"Season {row.season} of the ladder {ladder} has no complete match group that counts, so there is "
                "nothing to close; let more matches be played.",
                ladder=ladder,
            )
        ledger_seq = 0
        everybody = self._entries.standings(ladder, after=None, limit=len(entries))
        shown = [entry for entry in everybody if entry.matches]
        lines = tuple(self._solo_lines(ladder, shown) if row.solo else map(_rated_line, shown))
        if row.solo:
            self._solo_boards.clear(ladder)
        else:
            ledger_seq = self._pull(row, entries, keep_percent, now_us)
        before = self.find(ladder, row.season - 1)
        standings = FinalStandings(
            ladder=ladder,
            game=row.game,
            rules_version=row.rules_version,
            solo=row.solo,
            season=row.season,
            start_us=row.created_us if before is None else before.close_us,
            close_us=now_us,
            keep_percent=0 if row.solo else keep_percent,
            ledger_seq=ledger_seq,
            previous_sha256="" if before is None else document_sha256(before.document),
            lines=ranked(lines),
        )
        closed = self._store(standings, sign)
        self._entries.reset_counts(ladder)
        self._ladders.begin_season(ladder, row.season + 1)
        return closed

    def swap(self, divisions: Sequence[str], most: int, now_us: int) -> tuple[Move, ...]:
        """Move bots between ladders by the final standings of their newest closed seasons; return who moved.

        `divisions`: ladders, the upper one first. Of each two neighbours the best of the lower and the worst of the
        upper swap, as many, at most `most`; nobody moves twice. Withdrawn bots, and those on both ladders, stay. Who
        moves is withdrawn from the one ladder and joins the other.
        """
        active = {ladder: {each.bot for each in self._entries.active(ladder)} for ladder in divisions}
        lines = {ladder: self._newest_lines(ladder) for ladder in divisions}
        moves: dict[str, Move] = {}
        for upper, lower in pairwise(divisions):
            staying = (active[upper] & active[lower]) | moves.keys()
            promoted, relegated = swapped(
                [line for line in lines[upper] if line.bot in active[upper] - staying],
                [line for line in lines[lower] if line.bot in active[lower] - staying],
                most,
            )
            moves |= {bot: Move(bot, lower, upper) for bot in promoted}
            moves |= {bot: Move(bot, upper, lower) for bot in relegated}
        for move in moves.values():
            self._entries.leave(move.source, move.bot)
            self._entries.join(move.target, move.bot, now_us)
        return tuple(moves.values())

    def _newest_lines(self, ladder: str) -> tuple[FinalLine, ...]:
        season = self.get(ladder, self._ladders.get(ladder).season - 1)
        return read_document(season.document).lines

    def add(self, season: SeasonRow) -> None:
        """Store a closed season."""
        self._insert(SEASONS, **row_values(season))

    def find(self, ladder: str, season: int) -> SeasonRow | None:
        """Return the closed season; None if there is none of this number."""
        return self._first(_FIND, _season, ladder=ladder, number=season)

    def get(self, ladder: str, season: int) -> SeasonRow:
        """Return the closed season. Raises NotFoundError (SEASON_NOT_FOUND)."""
        row = self.find(ladder, season)
        if row is None:
            raise NotFoundError(
                ErrorReason.SEASON_NOT_FOUND,
                f"The ladder {ladder} has no closed season {season}; `arena season list {ladder}` lists them.",
                ladder=ladder,
                season=str(season),
            )
        return row

    def all(self, ladder: str) -> tuple[SeasonRow, ...]:
        """Return all closed seasons of the ladder, the oldest first."""
        return self._all(_ALL, _season, ladder=ladder)

    def page(self, ladder: str, *, before: int | None, limit: int) -> tuple[SeasonRow, ...]:
        """Return closed seasons of the ladder, the newest first, those before the number `before`."""
        query = select(SEASONS).where(SEASONS.c.ladder == ladder)
        return self._page(query, SEASONS.c.number, after=before, limit=limit, make=_season, descending=True)

    def _pull(self, row: LadderRow, entries: tuple[EntryRow, ...], keep_percent: int, now_us: int) -> int:
        """Pull the ratings to the mean by an entry of the ledger; return its seq."""
        seq = self._ladders.next_ledger_seq(row.id)
        entry = season_entry(
            {each.bot: each.rating for each in entries},
            seq=seq,
            close=SeasonClose(row.season, keep_percent),
            anchors={each.bot for each in entries if each.anchor},
        )
        self._ledger.append(row.id, entry, now_us)
        for change in entry.changes:
            self._entries.set_rating(row.id, change.bot, change.after)
        return seq

    def _solo_lines(self, ladder: str, entries: Iterable[EntryRow]) -> Iterator[FinalLine]:
        scores = solo_scores(self._solo_boards.all(ladder))
        for entry in entries:
            score = scores.get(f"{entry.bot}/{entry.version}")
            if score is not None:
                yield _line(entry, score.adjusted_milli, score.uncertainty_milli)

    def _store(self, standings: FinalStandings, sign: Callable[[str], Signature]) -> SeasonRow:
        document = standings.document()
        signed = sign(document)
        season = SeasonRow(
            ladder=standings.ladder,
            number=standings.season,
            start_us=standings.start_us,
            close_us=standings.close_us,
            keep_percent=standings.keep_percent,
            bots=len(standings.lines),
            document=document,
            key_id=signed.key_id,
            signature=signed.signature,
        )
        self.add(season)
        return season


_season: Final = partial(from_row, SeasonRow)

_ALL: Final = Prepared(
    select(SEASONS).where(SEASONS.c.ladder == bindparam("ladder")).order_by(SEASONS.c.number)
)

_FIND: Final = Prepared(
    select(SEASONS).where(SEASONS.c.ladder == bindparam("ladder"), SEASONS.c.number == bindparam("number"))
)


def _rated_line(entry: EntryRow) -> FinalLine:
    return _line(entry, entry.rating_milli, entry.rating.uncertainty_milli)


def _line(entry: EntryRow, value_milli: int, uncertainty_milli: int | None) -> FinalLine:
    """Return the line without its rank."""
    return FinalLine(
        rank=NO_RANK,
        bot=entry.bot,
        version=entry.version,
        anchor=entry.anchor,
        value_milli=value_milli,
        uncertainty_milli=uncertainty_milli,
        matches=entry.matches,
        placing_sum=entry.placing_sum,
        forfeits=entry.forfeits,
    )
