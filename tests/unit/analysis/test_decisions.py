"""The decisions of a seat, taken from a log."""

from dataclasses import replace
from itertools import pairwise

import pytest

from arena.analysis.decisions import SeatDecision, UnfitLogError, seat_decisions
from arena.codecs.codec import codec_for
from arena.core.match import Cause
from arena.match_log.reader import MatchLog, read_log
from arena.replay.recording import Recording
from tests.checkout import ROOT
from tests.unit.match_log.matches import a_match, caravan_setup

CARAVAN = codec_for("caravan")
FORFEITS = ROOT / "tests" / "data" / "logs" / "caravan-4-seats-with-forfeits.arenalog"


def a_log(source: int, trouble: float) -> MatchLog:
    return read_log(a_match(source, setup=caravan_setup(3), codec=CARAVAN, trouble=trouble).log.data)


@pytest.mark.parametrize("seat", [0, 1, 2])
@pytest.mark.parametrize("trouble", [0.0, 0.05])
def test_they_are_those_that_the_seat_was_asked(seat: int, trouble: float) -> None:
    log = a_log(1, trouble)
    asked = Recording(log, CARAVAN.game, seat).moments
    assert seat_decisions(log, CARAVAN, seat) == [
        SeatDecision(
            moment.ply,
            moment.decision,
            CARAVAN.encode_observation(moment.state.observe(seat)),
            moment.played,
            moment.cause,
            len(moment.state.legal_actions()),
        )
        for moment in asked
    ]


def test_defaults_after_a_strike_are_decisions_and_those_after_a_forfeit_are_not() -> None:
    log = read_log(FORFEITS.read_bytes())
    causes = {each.cause for seat in range(4) for each in seat_decisions(log, CARAVAN, seat)}
    assert Cause.FORFEITED in {ply.cause for ply in log.plies}
    assert causes == {ply.cause for ply in log.plies} - {Cause.FORFEITED}


def test_a_plan_is_one_decision() -> None:
    log = a_log(1, 0.0)
    ply, (first, second) = next(
        (ply, pair) for ply, pair in enumerate(pairwise(log.plies)) if pair[0].seat == pair[1].seat
    )
    before = seat_decisions(log, CARAVAN, first.seat)
    second.decision = first.decision
    after = seat_decisions(log, CARAVAN, first.seat)
    assert [each.ply for each in after] == [each.ply for each in before if each.ply != ply + 1]
    [plan] = [each for each in after if each.ply == ply]
    assert plan.played == (first.action, second.action)
    assert plan.has_choice


def test_a_log_of_other_rules_is_refused() -> None:
    log = a_log(1, 0.0)
    other = replace(log, setup=replace(log.setup, rules_version=99))
    with pytest.raises(UnfitLogError, match="version 99"):
        seat_decisions(other, CARAVAN, 0)
