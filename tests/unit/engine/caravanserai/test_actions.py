"""S44 to S49: what is asked, the packing of actions, their order and notation, and whole placements as one answer."""

from typing import Any

import pytest

from engine.caravanserai import actions
from engine.caravanserai.hexes import Cell
from engine.caravanserai.observation import Decision
from engine.caravanserai.plans import Plan, steps_of
from engine.game import IllegalActionError, UnreadableActionError
from tests.checkout import text
from tests.unit.engine.caravanserai.positions import (
    OUT_OF_THE_WAY,
    PURPLE_MIDDLE,
    a_match,
    a_position,
    play_plan,
    straight,
    view,
)
from tests.unit.engine.playing import check_refused, check_words, legal, play, refused


def test_s44_a_decision_with_one_legal_action_is_asked() -> None:
    state = play(a_position("-5,0c", OUT_OF_THE_WAY), "START(0,P,2)")
    assert (legal(state), state.seat_to_act) == (["CONTINUE(0)"], 0)


def test_s44_an_answer_to_another_question_is_illegal() -> None:
    for action in ("OPEN(-4,-2)", "STEAL(1)", "SEED(W,0,0)"):
        refused(a_position("-5,0c", OUT_OF_THE_WAY), action, "step placement asked")
    refused(a_match(), "CAMEL(0)", "opening cell asked")


def test_s45_the_packing_is_the_documented_one() -> None:
    assert actions.open_cell(Cell(-4, 3)) == 12 << 5 | 19
    assert actions.camel_step(5) == 1 << 25 | 5 << 22
    assert actions.continue_step(2, decline=True) == 2 << 25 | 2 << 22 | 1 << 13
    assert actions.start_step(2, 4, 7, decline=True) == 3 << 25 | 2 << 22 | 4 << 19 | 7 << 14 | 1 << 13
    assert actions.lying_step(3) == 4 << 25 | 3 << 22
    assert actions.steal(5) == 5 << 25 | 5 << 10
    assert actions.seed(3, Cell(9, -7)) == 6 << 25 | 3 << 19 | 25 << 5 | 9
    page = " ".join(text("docs/rules/caravanserai.md").split())
    assert str(actions.camel_step(2)) in page
    assert f"= {actions.open_cell(Cell(-4, 3))}" in page


def test_s46_steps_go_by_kind_direction_colour_size_and_decline() -> None:
    more: dict[str, Any] = {"tiles": PURPLE_MIDDLE, "loose": "0,0", "goods": "WPP"}
    state = a_position("-1,0c", "-1,1c 0,-1c -1,-1W", **more, expert=True)
    assert legal(state) == [
        *(f"CAMEL({direction})" for direction in (0, 2, 3)),
        "START(0,W,1)",
        "START(0,P,1)",
        "START(0,P,1,decline)",
        *(f"START({direction},{colour},1)" for direction in (2, 3) for colour in "WP"),
        *(f"LYING({direction})" for direction in (0, 2, 3)),
    ]
    purple = [text for text in legal(a_position("-1,0c", OUT_OF_THE_WAY, **more), "START") if "(0,P" in text]
    assert purple == [f"START(0,P,{size}{decline})" for size in (1, 2) for decline in ("", ",decline")]


def test_s46_goods_for_the_board_go_by_colour_and_then_by_cell() -> None:
    state = play(a_position("-4,0c", OUT_OF_THE_WAY, tiles={(-2, 0): "A-Y/0", (2, 0): "A-K/0"}), "CAMEL(0)")
    fields = [text.removeprefix("SEED(").removesuffix(")").split(",") for text in legal(state)]
    keys = [("WKPRY".index(letter), int(q), int(r)) for letter, q, r in fields]
    assert keys == sorted(keys)
    assert {letter for letter, *_ in fields} == {"W", "K", "Y"}


def test_s46_opening_cells_are_in_the_order_of_cells() -> None:
    listed = [actions.cell_of(action) for action in a_match().legal_actions()]
    assert listed == sorted(listed)


def test_s47_the_default_is_the_first_action_of_the_list() -> None:
    """So it uses a loose good; after a missed decision the next one is asked."""
    match = a_match()
    assert match.default_action() == match.legal_actions()[0]
    state = a_position("-2,0c", OUT_OF_THE_WAY, tiles=PURPLE_MIDDLE, loose="0,0")
    assert state.format_action(state.default_action()).startswith("CAMEL(")
    play(state, "START(0,P,2)")
    assert state.format_action(state.default_action()) == "CONTINUE(0)"
    assert "CONTINUE(0,decline)" in legal(state)
    state.apply(state.default_action())
    assert (state.seat_to_act, view(state).decision) == (0, Decision.STEP)


NO_ACTIONS = (
    "",
    "camel(0)",
    "CAMEL()",
    "CAMEL(00)",
    "CAMEL(٣)",
    " CAMEL(0)",
    "CAMEL(0,decline)",
    "START(0,B,1)",
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        *((text, "no action Caravanserai") for text in (*NO_ACTIONS, "OPEN(-0,1)", "x" * 5000)),
        ("CAMEL(6)", "direction 6 5"),
        ("CONTINUE(99,decline)", "direction 99 5"),
        ("START(0,P,32)", "size 32 31"),
        ("STEAL(6)", "seat 6 5"),
        ("OPEN(16,0)", "cell 16,0 -16 15"),
        ("SEED(P,0,-17)", "cell 0,-17 -16 15"),
    ],
)
def test_what_is_no_action_is_refused_with_a_short_sentence(text: str, words: str) -> None:
    with pytest.raises(UnreadableActionError) as caught:
        a_match().parse_action(text)
    check_words(str(caught.value), words)


def test_s49_an_int_that_is_no_action_is_illegal_and_changes_nothing() -> None:
    ints = (
        -1,
        1 << 10,
        1 << 25 | 1,
        1 << 25 | 6 << 22,
        3 << 25 | 5 << 19 | 1 << 14,
        7 << 25,
        1 << 60,
        10**90,
    )
    for packed in ints:
        refused(a_position("-5,0c", OUT_OF_THE_WAY), packed, "no action Caravanserai")
    state = a_position("-5,0c", OUT_OF_THE_WAY)
    check_refused(state, state.parse_action("CAMEL(3)"), "S20 board ends")


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
