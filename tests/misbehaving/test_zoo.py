"""Whatever a bot does, the arena answers it exactly as `zoo.toml` says, and honest bots get their results.

The numbers in the table are rows of docs/bad_inputs.md; docs/zoo.md tells how to add a bot.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest

from arena.core.match import Cause
from arena.core.ply import PlyRecord
from arena.match_log.checks.check import Status
from arena.match_log.verify import ExitCode
from arena.v1 import ending_pb2, match_pb2
from tests.misbehaving.build import need
from tests.misbehaving.keeper import Beside, Keeper, Outcome
from tests.misbehaving.table import PLAYED_ON, Row, Seat, fits, rows
from tests.server.play.arena_process import ArenaProcess

CAGES = tuple(dict.fromkeys(row.cage for row in rows()))
AT_ONCE = 12
"""So many bots of a cage misbehave at the same time."""

BUSY_NS = 1_000_000_000
"""What a machine that starts a dozen programs may take to carry a question out and an answer in. It is no part of the
network time that is credited, since that is the lowest one seen."""


@pytest.fixture(scope="module")
def keeper(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Keeper]:
    arena = ArenaProcess(tmp_path_factory.mktemp("zoo") / "data")
    try:
        yield Keeper(arena.wait_open())
    finally:
        arena.close()


@pytest.mark.parametrize("cage", CAGES)
def test_a_cage_of_misbehaving_bots_is_answered_as_the_table_says(keeper: Keeper, cage: str) -> None:
    caged = [row for row in rows() if row.cage == cage]
    need(caged[0].language)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        complaints = list(pool.map(lambda row: complaint(keeper, row), caged))
    assert not any(complaints), "\n".join(filter(None, complaints))
    assert not keeper.slips()


def complaint(keeper: Keeper, row: Row) -> str:
    """What went otherwise than the table says; empty if nothing did."""
    try:
        outcome = keeper.show(row)
        check_answers(row, outcome)
        check_seat(row, outcome.during)
        check_honest(row, outcome.during)
        check_honest(None, outcome.after)
    except Exception as error:  # noqa: BLE001 - told with all others
        return f"{row}: {type(error).__name__}: {error}"
    return ""


def check_answers(row: Row, outcome: Outcome) -> None:
    """The bot has heard what the table says, and nothing else."""
    assert outcome.exit == row.exit, outcome.stderr
    check_lines(outcome.ends, row.ends)
    check_lines(outcome.incidents, row.incidents, row.possible)


def check_lines(said: list[str], forms: tuple[str, ...], possible: tuple[str, ...] = ()) -> None:
    """Each line has its form, and each form its line, but for those that are just possible."""
    strange = [line for line in said if not any(fits(line, form) for form in (*forms, *possible))]
    assert not strange, f"not in the table: {strange}"
    assert not [form for form in forms if not any(fits(line, form) for line in said)], f"not said: {said}"


def check_seat(row: Row, during: Beside) -> None:
    """The bot's seat has ended as the table says; without one, that of the honest bot's other opponent normally."""
    assert during.match.state == match_pb2.MATCH_STATE_FINISHED
    expected = row.seat or Seat()
    seat = during.match.seats[1 - during.seat]
    termination = ending_pb2.Termination.Name(seat.ending.termination).removeprefix("TERMINATION_")
    fault = ending_pb2.Fault.Name(seat.ending.fault).removeprefix("FAULT_")
    assert (termination, fault) == (expected.termination, expected.fault), seat.ending
    assert fits(seat.ending.sentence, expected.sentence), seat.ending.sentence
    missed = sum(
        ply.seat != during.seat and ply.cause in (Cause.TIME_FORFEIT, Cause.ILLEGAL_ACTION)
        for ply in during.log.plies
    )
    assert seat.strikes == missed
    assert expected.strikes in (None, missed)


def check_honest(row: Row | None, beside: Beside) -> None:
    """The honest bot has its result, has lost nothing, and paid for nobody; the log proves all of it."""
    assert beside.match.state == match_pb2.MATCH_STATE_FINISHED
    assert beside.verification.exit_code is ExitCode.OK, [
        check for check in beside.verification.checks if check.status is not Status.OK
    ]
    seat = beside.match.seats[beside.seat]
    assert (seat.placing, seat.strikes) == (1, 0), seat
    alone = row is not None and row.seat is not None and row.seat.termination != "NORMAL"
    won = "All other seats forfeited: this one was the last standing and is placed first."
    assert seat.ending.sentence == (won if alone else PLAYED_ON)
    check_time(beside)


def check_time(beside: Beside) -> None:
    """The honest bot has paid for its own thoughts alone, by the clocks in the log."""
    for before, ply in pairwise(beside.log.plies):
        if ply.seat == beside.seat and before.seat != beside.seat:
            assert ply.started_ns >= over_at(before), "its clock ran while the other one was asked"
    for ply in beside.log.plies:
        if ply.seat == beside.seat:
            assert ply.cause is Cause.CHOSEN
            most = beside.thought_ns[ply.decision] + ply.credit_ns + BUSY_NS
            assert ply.used_ns <= most, (
                f"{ply.used_ns} ns charged, {beside.thought_ns[ply.decision]} ns thought"
            )


def over_at(ply: PlyRecord) -> int:
    """When the decision of a ply was over at the latest: used time is never less than what the clock has shown."""
    return ply.started_ns + ply.used_ns
