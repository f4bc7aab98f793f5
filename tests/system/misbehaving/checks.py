"""What is checked of every match beside a misbehaving bot."""

from collections.abc import Sequence
from itertools import pairwise

from arena.core.match import Cause
from arena.match_log.checks.check import Status
from arena.match_log.verify import VerificationExit
from arena.v1 import ending_pb2, match_pb2
from tests.system.misbehaving.table import Seat, fits, played_on
from tests.system.misbehaving.zoo_arena import ObservedMatch

BUSY_NS = 1_000_000_000
"""What a machine that starts a dozen programs may take to carry a question out and an answer in. It is no part of the
network time that is credited, since that is the lowest one seen."""


def check_lines(said: list[str], forms: Sequence[str], possible: Sequence[str] = ()) -> None:
    """Each line has its form, and each form its line, but for those that are just possible."""
    strange = [line for line in said if not any(fits(line, form) for form in (*forms, *possible))]
    assert not strange, f"not in the table: {strange}"
    assert not [form for form in forms if not any(fits(line, form) for line in said)], f"not said: {said}"


def check_seat(expected: Seat, bad: int, during: ObservedMatch) -> None:
    """Check that the seat of this place has ended as the table says."""
    assert during.match.state == match_pb2.MATCH_STATE_FINISHED
    seat = during.match.seats[bad]
    termination = ending_pb2.Termination.Name(seat.ending.termination).removeprefix("TERMINATION_")
    fault = ending_pb2.Fault.Name(seat.ending.fault).removeprefix("FAULT_")
    assert (termination, fault) == (expected.termination, expected.fault), seat.ending
    assert fits(seat.ending.sentence, expected.sentence), seat.ending.sentence
    missed = sum(
        ply.seat == bad and ply.cause in (Cause.TIME_FORFEIT, Cause.ILLEGAL_ACTION)
        for ply in during.log.plies
    )
    assert seat.strikes == missed
    assert expected.strikes in (None, missed)


def check_honest(beside: ObservedMatch, *, alone: bool = False) -> None:
    """Check that the honest bot has its result, lost nothing, and paid for nobody, by the verified log.

    `alone`: whether it was the last one standing.
    """
    assert beside.match.state == match_pb2.MATCH_STATE_FINISHED
    assert beside.verification.exit_code is VerificationExit.OK, [
        check for check in beside.verification.checks if check.status is not Status.OK
    ]
    seat = beside.match.seats[beside.seat]
    assert (seat.placing, seat.strikes) == (1, 0), seat
    won = "All other seats forfeited: this one was the last standing and is placed first."
    assert seat.ending.sentence == (won if alone else played_on(len(beside.match.seats)))
    check_time(beside)


def check_time(beside: ObservedMatch) -> None:
    """Check by the clocks in the log that the honest bot was charged for its own thinking alone."""
    for before, ply in pairwise(beside.log.plies):
        if ply.seat == beside.seat and before.seat != beside.seat:
            # Over at the latest then: used time is never less than what the clock has shown.
            over_ns = before.started_ns + before.used_ns
            assert ply.started_ns >= over_ns, "its clock ran while the other one was asked"
    for ply in beside.log.plies:
        if ply.seat == beside.seat:
            assert ply.cause is Cause.CHOSEN
            most = beside.thought_ns[ply.decision] + ply.credit_ns + BUSY_NS
            assert ply.used_ns <= most, (
                f"{ply.used_ns} ns charged, {beside.thought_ns[ply.decision]} ns thought"
            )
