"""The one transaction in which a match ends: result, replay, match group, ledger, ratings or boards, ladder.

Either all of it is stored or nothing, and a second time has no effect.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, bindparam, or_, update

from arena.codecs.shared_messages import same
from arena.core.errors import ErrorReason, InvalidArgumentError
from arena.core.finished_match import FinishedMatch
from arena.core.match import MatchResult, MatchState, SeatResult
from arena.core.match_record import OPEN_STATES, MatchRecord
from arena.core.rating.ledger import group_entry
from arena.core.units import NS_PER_US
from arena.store.ladders.entries import Entries, count_seats, forfeited, rated_matches
from arena.store.ladders.ladders import Ladders
from arena.store.ladders.ledger import Ledger
from arena.store.ladders.solo_boards import SoloBoards
from arena.store.matches.export_order import ExportOrder
from arena.store.matches.groups import Groups
from arena.store.matches.matches import CHANGE_SEAT, Matches, PlannedMatch, ending_values
from arena.store.matches.void_counts import VoidCounts
from arena.store.repository import Prepared, Repository
from arena.store.schema import MATCHES
from arena.store.tournaments.tournaments import Tournaments
from arena.store.webhooks.notifications import match_data, type_of_end
from arena.store.webhooks.outbox import NotificationType, Outbox


@dataclass(frozen=True, slots=True)
class ReplacementMatch:
    """The match that is played instead of a void one, in the same slot of the group."""

    seed_attempt: int
    """As in the derivation of its seed: one more, or the same where the seed stays."""
    seed_commitment: bytes


@dataclass(frozen=True, slots=True)
class MatchReport:
    """How a match came out, with what is stored beside the result."""

    match: int
    result: MatchResult
    seed: bytes | None
    """32 bytes; None for a match that was void before it began."""
    log: str
    """The name of the log file, 64 hex digits; empty if there is none."""
    replay: ReplacementMatch | None = None
    """For ABORTED: what is played instead; None: nothing, the group waits for the organiser."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """What recording a result did."""

    applied: bool
    """False if the match had ended before: nothing was changed."""
    replay: int | None = None
    """The id of the match that is played instead."""
    group_complete: bool = False


_END: Final = Prepared(
    update(MATCHES).where(
        MATCHES.c.id == bindparam("match"), or_(*(MATCHES.c.state == state.value for state in OPEN_STATES))
    )
)


class Results(Repository):
    """Where matches end."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self._matches = Matches(connection)
        self._ladders = Ladders(connection)
        self._entries = Entries(connection)
        self._ledger = Ledger(connection)
        self._solo_boards = SoloBoards(connection)
        self._tournaments = Tournaments(connection)
        self._export_order = ExportOrder(connection)

    def record(self, report: MatchReport, now_us: int) -> Recorded:
        """Store the result of a match and everything that follows from it.

        Raises:
            NotFoundError: MATCH_NOT_FOUND.
            InvalidArgumentError: FIELD_INVALID, the report does not fit the match.
        """
        match = self._matches.get(report.match)
        _check(report, match)
        if not self._store_result(report, match, now_us):
            return Recorded(applied=False)
        ends = [
            {"match": report.match, "number": number, **_seat_values(seat)}
            for number, seat in enumerate(report.result.seats)
        ]
        CHANGE_SEAT.run_all(self._connection, ends)
        if report.result.state is MatchState.ABORTED:
            VoidCounts(self._connection).add(match.bots)
        replay = None if report.replay is None else self.add_replay(match, report.replay, now_us)
        if report.result.state is not MatchState.ABORTED:
            self._count(match, finished=report.result.state is MatchState.FINISHED)
        self._notify(match, report, now_us)
        complete = self.close_group(match, now_us)
        return Recorded(applied=True, replay=replay, group_complete=complete)

    def _notify(self, match: MatchRecord, report: MatchReport, now_us: int) -> None:
        """Put notifications of the end in the outbox; none of a void match that is played again.

        None either of the result of a match that is for organisers while standings are frozen: anybody may read what a
        webhook receives.
        """
        outbox, kind = Outbox(self._connection), type_of_end(report.result.state)
        is_closed = match.frozen and kind is NotificationType.MATCH_ENDED
        if report.replay is None and not is_closed and outbox.wants(kind):
            outbox.put(kind, match_data(match, report.result), now_us, ladder=match.terms.ladder)

    def _store_result(self, report: MatchReport, match: MatchRecord, now_us: int) -> bool:
        """Store the result without its seats; return False if the match had ended before."""
        result, replay = report.result, report.replay
        is_played_again = replay is not None and replay.seed_commitment == match.seed_commitment
        values = {
            "state": result.state.value,
            **same(result, "ending", "plies", "void_reason"),
            "seed": None if is_played_again else report.seed,
            "log": report.log,
            "ended_us": now_us,
        }
        return _END.run(self._connection, {"match": report.match, **values}) == 1

    def add_replay(self, match: MatchRecord, replay: ReplacementMatch, now_us: int) -> int:
        """Store a new match in the slot of a void one; return its id."""
        return self._matches.add(
            match.terms,
            PlannedMatch(match.bots, match.seed_group_index, replay.seed_commitment, replay.seed_attempt),
            group=match.group,
            slot=match.slot,
            now_us=now_us,
            voids=match.voids + 1,
        )

    def _count(self, match: MatchRecord, *, finished: bool) -> None:
        if match.terms.ladder is not None:
            self._ladders.use_up_match(match.terms.ladder, finished=finished)
        if match.terms.tournament is not None:
            self._tournaments.count(match.terms.tournament, ended=True, unplayed=not finished)

    def close_group(self, match: MatchRecord, now_us: int) -> bool:
        """Whether nothing of the match's group is open any more; if so it is complete and counts."""
        matches = self._matches.of_group(match.group)
        if any(not each.ended or each.left_to_organiser for each in matches):
            return False
        Groups(self._connection).complete(match.group, now_us)
        self._export_order.add_matches(matches)
        if match.terms.ladder is not None:
            self._count_group(match.terms.ladder, match.group, matches, now_us)
            self._ladders.pause_if_done(match.terms.ladder)
        if match.terms.tournament is not None:
            self._tournaments.finish_if_done(match.terms.tournament, now_us)
        return True

    def _count_group(self, ladder: str, group: int, matches: tuple[MatchRecord, ...], now_us: int) -> None:
        if self._ladders.get(ladder).solo:
            self._solo_boards.close(ladder, matches)
        elif rated := rated_matches(matches):
            self._rate_group(ladder, group, rated, now_us)

    def _rate_group(self, ladder: str, group: int, matches: tuple[MatchRecord, ...], now_us: int) -> None:
        seq = self._ladders.next_ledger_seq(ladder)
        bots = sorted({seat.bot for match in matches for seat in match.seats})
        entries = self._entries.of_bots(ladder, bots)
        ratings = {entry.bot: entry.rating for entry in entries}
        rated = [_rated_match(match) for match in matches]
        anchors = {entry.bot for entry in entries if entry.anchor}
        entry = group_entry(ratings, seq=seq, group=group, matches=rated, anchors=anchors)
        self._ledger.append(ladder, entry, now_us)
        after = {change.bot: change.after for change in entry.changes}
        for before in entries:
            self._entries.add_counts(before, count_seats(before.bot, matches), after[before.bot])


def _rated_match(match: MatchRecord) -> FinishedMatch:
    return FinishedMatch(
        match=match.id,
        bots=match.bots,
        versions=tuple(seat.version or "" for seat in match.seats),
        placings=tuple(seat.placing for seat in match.seats),
        forfeited=tuple(forfeited(seat) for seat in match.seats),
    )


def _check(report: MatchReport, match: MatchRecord) -> None:
    """Check that the report can be this match's. Raises InvalidArgumentError (FIELD_INVALID)."""
    result = report.result
    problem = None
    if result.state in OPEN_STATES:
        problem = f"{result.state.name} is not the end of a match"
    elif len(result.seats) != len(match.seats):
        problem = f"it has {len(match.seats)} seats, not {len(result.seats)}"
    elif report.replay is not None and result.state is not MatchState.ABORTED:
        problem = "only an aborted match is replayed"
    elif result.state is MatchState.FINISHED and (report.seed is None or not report.log):
        problem = "a finished match has a seed and a log"
    elif result.state is MatchState.FINISHED and match.state is MatchState.PENDING:
        problem = "it has not begun"
    if problem is not None:
        raise InvalidArgumentError(
            ErrorReason.FIELD_INVALID,
            f"The result of match {match.id} was refused: {problem}.",
            match=str(match.id),
        )


def _seat_values(seat: SeatResult) -> Mapping[str, object]:
    return {
        **same(seat, "placing", "score", "decisions", "strikes"),
        **ending_values(seat.ending),
        "used_us": seat.used_ns // NS_PER_US,
        "longest_us": seat.longest_ns // NS_PER_US,
    }
