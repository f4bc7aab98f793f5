"""The results of the seats when a match ends: by the rules, with one seat left, with none, or void."""

from collections.abc import Sequence

from arena.core.endings import verdicts
from arena.core.endings.arena_faults import VoidCause
from arena.core.endings.terminations import SeatEnding
from arena.core.match import MatchResult, MatchState, SeatResult
from arena.core.referee.seat import RefereeSeat
from engine.game import Outcome


def placings(engine_placings: Sequence[int], standing: Sequence[bool]) -> tuple[int, ...]:
    """Return the placings: remaining seats in the engine's order, forfeited ones share the last placing.

    1 is best, ties share the better placing; both arguments and the result are by seat.
    """
    ahead_of_forfeited = sum(standing)
    return tuple(
        1
        + sum(1 for other, up in enumerate(standing) if up and engine_placings[other] < engine_placings[seat])
        if stands
        else 1 + ahead_of_forfeited
        for seat, stands in enumerate(standing)
    )


def _result(seat: RefereeSeat, ending: SeatEnding, placing: int = 0, score: int = 0) -> SeatResult:
    clock = seat.clock
    how = seat.ending or ending
    return SeatResult(placing, score, how, seat.decisions, clock.used_ns, clock.longest_ns, seat.strikes)


def by_the_rules(seats: Sequence[RefereeSeat], outcome: Outcome) -> tuple[SeatResult, ...]:
    """Return the results of a game that ended by its rules.

    Seats that did not forfeit keep the order of the rules, forfeited ones share the last placing.
    """
    places = placings(outcome.placings, [seat.standing for seat in seats])
    return tuple(
        _result(seat, verdicts.by_the_rules(outcome.ending, place, len(seats), score), place, score)
        for seat, place, score in zip(seats, places, outcome.scores, strict=True)
    )


def by_forfeit(seats: Sequence[RefereeSeat]) -> tuple[SeatResult, ...]:
    """Return the results if all seats but one, or the only one, have forfeited. Scores are 0 before a game's end."""
    places = placings([1] * len(seats), [seat.standing for seat in seats])
    ending = verdicts.last_standing(len(seats))
    return tuple(_result(seat, ending, place) for seat, place in zip(seats, places, strict=True))


def nobody_left(seats: Sequence[RefereeSeat], now: int) -> tuple[SeatResult, ...]:
    """Return the results if the last seat was absent and did not return; nobody is placed. `now` in nanoseconds."""
    return tuple(
        _result(
            seat,
            verdicts.nobody_left(
                now - seat.lost_at if seat.lost_at is not None else 0, seat.clock.control.absence_ns
            ),
        )
        for seat in seats
    )


def without_result(state: MatchState, endings: Sequence[SeatEnding], why: str) -> MatchResult:
    """Return the result of a match without plies or placings. `why`: a sentence."""
    seats = tuple(SeatResult(0, 0, ending, 0, 0, 0, 0) for ending in endings)
    return MatchResult(state, "", 0, seats, 0, why, b"")


def void_result(seats: int, cause: VoidCause) -> MatchResult:
    """Return the result of a void match without stored data."""
    return without_result(MatchState.ABORTED, [verdicts.void(cause)] * seats, cause.reason)


def void(seats: Sequence[RefereeSeat], cause: VoidCause) -> tuple[SeatResult, ...]:
    """Return the results of the seats of a void match: no placings."""
    return tuple(_result(seat, verdicts.void(cause)) for seat in seats)
