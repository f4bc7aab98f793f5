"""Check of the clock: every decision is charged by its formula (docs/protocol.md, "The clock")."""

from dataclasses import dataclass
from typing import Final

from arena.core.clock.round_trip import most_credit_ns
from arena.core.clock.seat_clock import SeatClock
from arena.core.match import Cause
from arena.core.ply import PlyRecord
from arena.match_log.checks.check import Check, judged
from arena.match_log.checks.decisions import LoggedDecision, decisions_of
from arena.match_log.framing import Flaw
from arena.match_log.reader import MatchLog

CLOCK: Final = "clock"


def check_clock(log: MatchLog) -> Check:
    """Check that decisions are numbered, follow each other in time, and are charged by the formula."""
    control = log.setup.time_control
    books = [_Books(SeatClock(control)) for _ in log.setup.seats]
    free_from, flaw = 0, None
    for decision in decisions_of(log):
        ply = decision.first
        why = _why_not(decision, books[ply.seat], free_from)
        if why is not None:
            sentence = f"Decision {ply.decision} of seat {ply.seat} does not fit the clock: {why}."
            flaw = Flaw(decision.index, sentence)
            break
        # When the answer came or the verdict fell: no other clock starts before.
        not_charged = ply.credit_ns + ply.stall_ns + ply.wait_ns if ply.used_ns else 0
        free_from = max(free_from, ply.started_ns + ply.used_ns + not_charged)
    sentence = "All decisions follow each other in time and are charged by the clock's formula."
    return judged(CLOCK, flaw, sentence)


@dataclass(slots=True)
class _Books:
    """The charges of a seat so far."""

    clock: SeatClock
    decisions: int = 0


def _why_not(decision: LoggedDecision, books: _Books, free_from: int) -> str | None:
    """Return why the decision cannot have been charged so; if it can, book it and return None."""
    if not decision.first.cause.asked:
        return "no seat was asked for it, so it has no times" if _charged(decision.first) else None
    return (
        _why_misplaced(decision, books, free_from)
        or _why_overcredited(decision.first, books.clock)
        or _why_mischarged(decision, books)
    )


def _charged(ply: PlyRecord) -> bool:
    times = (ply.started_ns, ply.used_ns, ply.credit_ns, ply.stall_ns, ply.wait_ns, ply.bank_ns)
    return any(times) or ply.over_seat_limit or (ply.decision != 0 and not ply.cause.asked)


def _why_misplaced(decision: LoggedDecision, books: _Books, free_from: int) -> str | None:
    ply = decision.first
    books.decisions += 1
    if ply.decision != books.decisions:
        return f"it should have the number {books.decisions}"
    if ply.started_ns < free_from:
        return f"its clock started {free_from - ply.started_ns} ns before the decision before it was over"
    if any(_charged(piece) or piece.cause is not Cause.CHOSEN for piece in decision.plies[1:]):
        return "only the first action of a plan carries times"
    if len(decision.plies) > 1 and ply.cause is not Cause.CHOSEN:
        return "a default is one action"
    return None


def _why_overcredited(ply: PlyRecord, clock: SeatClock) -> str | None:
    most = most_credit_ns(clock.control)
    if ply.credit_ns > most:
        return f"{ply.credit_ns} ns are credited, at most {most} ns can be"
    if ply.wait_ns > clock.wait_left_ns:
        return f"{ply.wait_ns} ns of waiting are not charged, at most {clock.wait_left_ns} ns were left"
    return None


def _why_mischarged(decision: LoggedDecision, books: _Books) -> str | None:
    ply, clock = decision.first, books.clock
    chosen = ply.cause is Cause.CHOSEN
    cost = clock.measure(-ply.wait_ns, ply.used_ns, credit_ns=0, stall_ns=0, wait_ns=ply.wait_ns)
    if ply.over_seat_limit != cost.over_seat_limit:
        return f"the seat has used {clock.used_ns} ns before, which settles whether it is over its seat_limit"
    if cost.in_time == (ply.cause is Cause.TIME_FORFEIT):
        return f"{ply.used_ns} ns are {'in time' if cost.in_time else f'{cost.late_ns} ns late'}"
    pieces = _pieces_of_illegal(ply, clock) if ply.cause is Cause.ILLEGAL_ACTION else len(decision.plies)
    booked = clock.charge(cost, pieces=pieces, earns=chosen)
    if ply.bank_ns != booked.bank_ns:
        return f"the bank should be {booked.bank_ns} ns after it, not {ply.bank_ns} ns"
    return None


def _pieces_of_illegal(ply: PlyRecord, clock: SeatClock) -> int:
    """Return how many actions the illegal answer was charged as: one, but by an earlier arena all of a plan.

    It is the fewest with which the bank comes out as stated, if there is such a number.
    """
    if not clock.per_decision_ns or not ply.bank_ns:
        return 1
    over = clock.bank_ns - ply.bank_ns
    return max(1, -(-(ply.used_ns - over) // clock.per_decision_ns))
