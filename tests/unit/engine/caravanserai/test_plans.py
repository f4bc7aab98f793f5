"""S48: whole placements as one answer."""

import pytest

from engine.caravanserai.hexes import Cell
from engine.caravanserai.observation import Decision
from engine.caravanserai.plans import Plan, steps_of
from engine.game import IllegalActionError, UnreadableActionError
from tests.unit.engine.caravanserai.positions import (
    OUT_OF_THE_WAY,
    PURPLE_MIDDLE,
    a_match,
    a_position,
    play_plan,
    straight,
    view,
)
from tests.unit.engine.playing import play

EAST = tuple(Cell(q, 0) for q in range(-3, 4))


@pytest.mark.parametrize(
    ("plan", "steps"),
    [
        # series of equal letters are the blocks
        (
            Plan(EAST, "PYYWWWc"),
            "START(0,P,1) START(0,Y,2) CONTINUE(0) START(0,W,3) CONTINUE(0) CONTINUE(0) CAMEL(0)",
        ),
        # the cells say the directions
        (Plan((Cell(-3, 0), Cell(-3, 1), Cell(-4, 1)), "RRc"), "START(0,R,2) CONTINUE(1) CAMEL(3)"),
        # declined goods are named by their index
        (Plan(EAST[:3], "RRc", (1,)), "START(0,R,2) CONTINUE(0,decline) CAMEL(0)"),
        (Plan(EAST[:3], "RRc", (0, 1)), "START(0,R,2,decline) CONTINUE(0,decline) CAMEL(0)"),
        # a lying camel may have to steal
        (Plan(EAST[:2], "lc", (), 1), "LYING(0) STEAL(1) CAMEL(0)"),
        (Plan(EAST[:2], "lc"), "LYING(0) CAMEL(0)"),
    ],
)
def test_s48_a_plan_is_so_many_steps(plan: Plan, steps: str) -> None:
    state = a_position("-4,0c", OUT_OF_THE_WAY)
    assert " ".join(map(state.format_action, steps_of(plan, state))) == steps


def test_s48_a_plan_with_a_theft_is_legal_if_and_only_if_the_lying_camel_raises_it() -> None:
    def play_lying(purple: int, victim: int | None) -> None:
        market = (5, 5, purple, 5, 5)
        state = a_position("-1,0c", OUT_OF_THE_WAY, tiles=PURPLE_MIDDLE, market=market, expert=True)
        play_plan(state, Plan((Cell(0, 0), Cell(0, 1)), "lc", (), victim))

    play_lying(0, 1)
    play_lying(5, None)
    with pytest.raises(IllegalActionError, match=r"steal from is asked for"):
        play_lying(0, None)
    with pytest.raises(IllegalActionError, match="placement is asked for"):
        play_lying(5, 1)


def test_s48_what_the_last_camel_brings_is_asked_afterwards() -> None:
    state = a_position("-1,0c", OUT_OF_THE_WAY, tiles=PURPLE_MIDDLE, market=(5, 5, 0, 5, 5))
    play_plan(state, Plan((Cell(0, 0),), "c"))
    assert (view(state).decision, state.seat_to_act) == (Decision.STEAL_FROM, 0)
    play(state, "STEAL(1)")
    assert view(state).decision is Decision.SEED_GOOD


def test_s48_each_step_of_a_plan_is_judged_as_if_it_came_alone() -> None:
    state = a_position("-4,0c", OUT_OF_THE_WAY, goods="PPY")
    digest, trial = state.digest(), state.clone()
    with pytest.raises(IllegalActionError, match=r"^START\(0,Y,2\) .*\(S28\)"):
        play_plan(trial, straight(state, "PYYc"))
    assert state.digest() == digest


@pytest.mark.parametrize(
    ("plan", "complaint"),
    [
        (Plan((), ""), "field plan.pieces must have one standing camel .*, at its end"),
        (Plan(EAST[:1], "P"), "field plan.pieces must have one standing camel"),
        (Plan(EAST[:2], "cc"), "field plan.pieces must have one standing camel"),
        (Plan(EAST[:2], "Bc"), 'field plan.pieces has the letter "B": a piece is one of WKPRYlc'),
        (Plan(EAST[:1], "Pc"), "field plan.cells must have as many as pieces, 2, and has 1"),
        (Plan(EAST[1:2], "c"), r"field plan.cells has \(-2,0\) at index 0: it is no neighbour of \(-4,0\)"),
        (Plan(EAST[:1] * 2, "Pc"), r"\(-3,0\) at index 1: it is no neighbour of \(-3,0\)"),
        (Plan(EAST[:2], "Pc", (1,)), "field plan.declined must have indices of goods"),
        (Plan(EAST[:2], "Pc", (0, 0)), "field plan.declined"),
        (Plan(EAST[:2], "Pc", (-1,)), "field plan.declined"),
        (Plan(EAST[:2], "Pc", (2**40,)), "field plan.declined"),
        (Plan(EAST[:1], "c", (), 1), "field plan.victim is for a plan with a lying camel"),
        (Plan(EAST[:2], "lc", (), 6), "field plan.victim is 6: it goes from 0 to 5"),
        (Plan(tuple(Cell(-3 + i % 2, 0) for i in range(33)), "P" * 32 + "c"), "field size is 32"),
    ],
)
def test_s48_what_is_no_plan_is_refused_by_its_field(plan: Plan, complaint: str) -> None:
    with pytest.raises(UnreadableActionError, match=complaint):
        steps_of(plan, a_position("-4,0c", OUT_OF_THE_WAY))


def test_s48_a_plan_answers_the_first_step_of_a_turn_only() -> None:
    begun = play(a_position("-4,0c", OUT_OF_THE_WAY), "START(0,P,1)")
    asked_for_a_good = play(a_position("-4,0c", OUT_OF_THE_WAY), "CAMEL(0)")
    for state in (begun, asked_for_a_good, a_match()):
        with pytest.raises(UnreadableActionError, match=r"first step .*\(S48\)"):
            steps_of(Plan((Cell(-2, 0),), "c"), state)
