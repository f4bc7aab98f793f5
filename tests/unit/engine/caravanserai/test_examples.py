"""S50, S51, S57 and the worked examples, and S54 and S55: set-ups and whole matches from the seed of 32 zero bytes."""

import pytest

from engine.caravanserai import CARAVANSERAI
from engine.caravanserai.events import BoardLaid, Counted
from engine.caravanserai.hexes import Cell
from engine.caravanserai.observation import Decision
from engine.caravanserai.plans import Plan, steps_of
from engine.caravanserai.state import CaravanseraiState
from engine.game import TERMINAL
from engine.randomness import Stream
from tests.unit.engine.caravanserai.positions import (
    OUT_OF_THE_WAY,
    a_match,
    a_position,
    caravan,
    play_plan,
    straight,
    view,
)
from tests.unit.engine.pages import joined, rows


def longest_line() -> tuple[int, int]:
    """Return a cell number and a direction with the most cells of the largest board in a line (17 with it)."""
    rays = a_match(5).setup.tables.rays
    return divmod(max(range(len(rays)), key=lambda way: len(rays[way])), 6)


def before_the_longest_line(*, expert: bool) -> CaravanseraiState:
    """Seat 0 stands at the end of that line; the other four are beside it, and all goods are plenty."""
    start, direction = longest_line()
    tables = a_match(5).setup.tables
    line = tables.rays[6 * start + direction][-1] | tables.bits[start]
    beside = [cell for cell in range(tables.off) if not line & (tables.bits[cell] | tables.near[cell])]
    words = [f"{tables.cells[cell].q},{tables.cells[cell].r}c" for cell in (start, *beside[-4:])]
    return a_position(*words, goods="WKPRY" * 6, expert=expert)


def test_s50_no_match_is_longer_than_the_formula_says() -> None:
    def bound(seats: int, expert: str) -> int:
        return CARAVANSERAI.max_plies(seats, CARAVANSERAI.options(seats, {"expert": expert}))

    assert bound(1, "false") == 2 + 60 * (45 + 20)
    assert bound(1, "true") == 2 + 60 * (50 + 20)
    assert bound(2, "false") == 4 + 120 * (60 + 12)
    assert bound(6, "true") == 12 + 360 * (125 + 12)


def test_s51_random_steps_make_placements_of_about_five() -> None:
    stream, placements, steps = Stream(bytes(32)), 0, 0
    for seats in (1, 2, 4):
        match = a_match(seats)
        while match.seat_to_act != TERMINAL:
            if match.decision is Decision.STEP:
                steps += 1
                placements += match.laid == 0
            listed = match.legal_actions()
            match.apply(listed[stream.uniform(len(listed))])
    assert 3.5 < steps / placements < 6.5


CORRECT = {False: "YWWRRRKKKKc RRKKKc RYYRRRc WWc c", True: "c lc RlRRRc KYYlKKKKWWWWWc YRRWWWlc"}
"""The rulebook's placements, without and with the expert rules."""

WRONG = {False: "RRRc RWc RRWWc lc", True: "RRc RlRRc RlYYc RlRRRlc RWWWc"}


@pytest.mark.parametrize("expert", [False, True])
def test_s57_the_rulebooks_placements_are_correct_and_others_are_not(expert: bool) -> None:
    for pieces in (*CORRECT[expert].split(), *WRONG[expert].split()):
        state = before_the_longest_line(expert=expert)
        plan = straight(state, pieces, longest_line()[1])
        assert len(steps_of(plan, state)) == len(pieces)
        assert is_correct(state, plan) == (pieces in CORRECT[expert].split()), pieces


def is_correct(state: CaravanseraiState, plan: Plan) -> bool:
    """Return whether all steps of the plan are legal, one after the other."""
    for step in steps_of(plan, state):
        if not state.is_legal(step):
            return False
        state.apply(step)
    return True


def test_the_rulebooks_worked_example_figure_8() -> None:
    """1 purple, 2 yellow, 1 purple on a purple inn where it turns, 2 more, a camel on a black inn (1.5)."""
    # the tile (0,1) has its centre on -1,3 and its second inn on 0,3
    tiles = {(0, 0): "A-P/0", (0, 1): "A-K/0"}
    state = a_position("-4,0c", OUT_OF_THE_WAY, goods="PPPYYYKKKRRRWWWP", tiles=tiles)
    cells = (Cell(-3, 0), Cell(-2, 0), Cell(-1, 0), Cell(0, 0), Cell(0, 1), Cell(0, 2), Cell(0, 3))
    state.take_events()
    play_plan(state, Plan(cells, "PYYPPPc"))
    (counted,) = [event for event in state.take_events() if isinstance(event, Counted)]
    assert (counted.laid, counted.count) == (7, 4)
    assert caravan(state) == "0,0P 0,1P 0,2P 0,3c"
    assert view(state).seats[0].goods == (3, 4, 1, 3, 3)  # white, black, purple, red, yellow
    assert (view(state).decision, view(state).seeds) == (Decision.SEED_GOOD, 1)


def test_the_first_step_in_open_country_has_66_actions_in_expert_42() -> None:
    assert len(a_position("0,0c", OUT_OF_THE_WAY).legal_actions()) == 66
    assert len(a_position("0,0c", OUT_OF_THE_WAY, expert=True).legal_actions()) == 42


SET_UPS = rows("caravanserai", "| seats | first")
MATCHES = rows("caravanserai", "| seats | expert | ending")


def test_s54_s55_the_tables_have_all_numbers_of_seats() -> None:
    assert [row[0] for row in SET_UPS] == ["2", "3", "4", "5"]
    assert [row[:2] for row in MATCHES] == [
        [seats, expert] for expert in ("false", "true") for seats in "123456"
    ]


@pytest.mark.parametrize("row", SET_UPS, ids=lambda row: f"{row[0]} seats")
def test_s54_the_set_up_of_the_zero_seed_is_that_of_the_vectors(row: list[str]) -> None:
    match = a_match(int(row[0]))
    seen = view(match)
    (event,) = match.take_events()
    assert isinstance(event, BoardLaid)
    assert sorted(event.loose) == list(seen.loose)
    assert seen.first == event.first
    colours = ["WKPRY"[match.setup.inn_colour[match.setup.tables.numbers[cell]]] for cell in event.loose]
    loose = " ".join(f"{colour}{cell}" for colour, cell in zip(colours, event.loose, strict=True))
    market = " ".join(f"{letter}{count}" for letter, count in zip("WKPRY", seen.market, strict=True))
    assert row[1:] == [str(seen.first), " ".join(map(str, seen.tiles)), loose, market]


def test_s54_one_seat_has_the_set_up_of_two_and_six_the_board_of_five() -> None:
    assert view(a_match(1)).tiles == view(a_match(2)).tiles
    assert view(a_match(6)).tiles == view(a_match(5)).tiles
    assert (view(a_match(1)).first, view(a_match(6)).first) == (0, 0)


def test_s54_the_expert_set_up_differs_in_the_market_alone() -> None:
    basic, expert = view(a_match(4)), view(a_match(4, options={"expert": "true"}))
    assert (basic.tiles, basic.loose) == (expert.tiles, expert.loose)
    assert [count + 1 for count in basic.market] == list(expert.market)


@pytest.mark.parametrize("row", MATCHES, ids=lambda row: f"{row[0]} seats, expert {row[1]}")
def test_s55_a_match_by_rule_ends_as_the_table_says(row: list[str]) -> None:
    match, ply = a_match(int(row[0]), options={"expert": row[1]}), 0
    while match.seat_to_act != TERMINAL:
        listed = match.legal_actions()
        match.apply(listed[(7 * ply + 3) % len(listed)])
        ply += 1
    outcome = match.outcome()
    assert outcome is not None
    lists = [joined(outcome.scores), joined(outcome.placings)]
    assert row[2:] == [outcome.ending, str(view(match).round), str(ply), *lists]
