"""What the matches of a group add to the counters of a ladder's entries."""

from __future__ import annotations

from collections.abc import Sequence

from arena.core.match import MatchState
from arena.core.match_record import MatchRecord, SeatRecord
from arena.store.ladders.entries import EntryCounts


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
