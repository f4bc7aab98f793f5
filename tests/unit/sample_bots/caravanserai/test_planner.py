"""The search bot of Caravanserai and its parts. Clauses: docs/rules/caravanserai.md."""

from itertools import count

import pytest

from engine.caravanserai import CARAVANSERAI
from engine.caravanserai.observation import Decision
from engine.caravanserai.plans import steps_of
from engine.caravanserai.quick.paths import FREE, MIXED, Paths
from engine.caravanserai.quick.placements import Finder, Placement
from engine.caravanserai.quick.playouts import AHEAD, play_out, play_turn, quick_placement
from engine.caravanserai.quick.worth import worth
from engine.caravanserai.state import CaravanseraiState
from engine.randomness import Stream
from sample_bots.python.caravanserai import planner
from sample_bots.python.caravanserai.greedy import Greedy
from sample_bots.python.caravanserai.planner import Planner, best_opening, best_placement
from tests.unit.sample_bots.driver import Looks, a_seed, duel, play_match


def a_turn(number: int, *, seats: int = 2, expert: bool = False, plies: int = 0) -> CaravanseraiState:
    """Return the first position after so many sensible actions in which a turn begins."""
    options = CARAVANSERAI.options(seats, {"expert": "true" if expert else "false"})
    state = CARAVANSERAI.new_match(seats, options, a_seed(number))
    stream = Stream(a_seed(number))
    for ply in count():
        if ply >= plies and state.decision is Decision.STEP and not state.laid:
            return state
        state.apply(CARAVANSERAI.sensible_action(state, stream))
    raise AssertionError


def end_of(state: CaravanseraiState, seat: int) -> float:
    """Return how far the seat is ahead when the match was played out."""
    end = play_out(state.clone(), seat, Paths(state.setup), lambda: 0.0)
    assert end is not None
    return end


def test_paths_turn_on_inns_only_and_know_their_colours() -> None:
    """S19."""
    state = a_turn(1)
    tables, inn_colour = state.setup.tables, state.setup.inn_colour
    found = [path for cell in range(tables.off) for path in Paths(state.setup).of(cell, FREE, 4)]
    assert len({path.colour for path in found}) == 2 + 5
    for path in found:
        steps = [
            tables.beside[6 * one : 6 * one + 6].index(other)
            for one, other in zip(path.cells, path.cells[1:], strict=False)
        ]
        turns = [number + 1 for number in range(2) if steps[number] != steps[number + 1]]
        assert all(inn_colour[path.cells[turn]] >= 0 for turn in turns)
        assert path.onward == (FREE if inn_colour[path.cells[-1]] >= 0 else steps[-1])
        assert len(set(path.cells)) == path.mask.bit_count() == 4
        colours = {inn_colour[cell] for cell in path.cells} - {-1}
        assert path.colour == (MIXED if len(colours) > 1 else max(colours, default=-1))


@pytest.mark.parametrize(
    ("seats", "expert", "plies"),
    [(1, False, 2), (1, True, 60), (2, False, 0), (3, True, 80), (6, False, 40)],
)
def test_every_placement_is_legal_and_worth_what_the_position_after_it_is(
    seats: int, expert: bool, plies: int
) -> None:
    """S18 to S34."""
    check_worths(a_turn(seats, seats=seats, expert=expert, plies=plies))


def test_goods_that_a_placement_returns_to_an_empty_market_may_be_earned() -> None:
    """S26, S27 and S30: loose goods on every second inn; nobody to steal from."""
    state = a_turn(16, seats=1)
    state.market = [0] * 5
    state.loose = state.setup.inns & ~state.occupied & int("10" * 80, 2)
    check_worths(state)


def check_worths(state: CaravanseraiState) -> None:
    """All placements found in the position are legal and different, and worth what the position after them is."""
    seat = state.seat_to_act
    found = Finder(state, seat, Paths(state.setup), most_counted=6).best(10_000)
    assert [value for value, _ in found] == sorted((value for value, _ in found), reverse=True)
    assert len({placement.plan(state) for _, placement in found}) == len(found) > 5
    assert all(placement.steps(state) == steps_of(placement.plan(state), state) for _, placement in found)
    for value, placement in found[:: 1 + len(found) // 300]:
        after = state.clone()
        for step in steps_of(placement.plan(state), state):
            after.apply(step)
        if after.decision is Decision.STEAL_FROM and after.seat_to_act == seat:
            after.apply(after.legal_actions()[0])
        room = (after.setup.tables.near[after.cells[seat][-1]] & ~after.occupied).bit_count()
        goods = sum(after.goods_of(seat))
        assert value == worth(len(after.cells[seat]), goods, after.camels[seat], room, last=False)


def length_after(state: CaravanseraiState, placement: Placement) -> int:
    """Of the caravan of the seat to act, its turn played."""
    after = state.clone()
    play_turn(after, placement)
    return len(after.cells[state.seat_to_act])


def test_in_its_last_turn_a_seat_looks_for_length_alone() -> None:
    """S37 and S42: a camel kept for later is worth nothing any more."""
    state = a_turn(4, plies=60)
    state.camels[state.seat_to_act] = 1
    paths = Paths(state.setup)
    longest = max(
        Finder(state, state.seat_to_act, paths, most_counted=6).best(10_000),
        key=lambda found: length_after(state, found[1]),
    )[1]
    state.trigger, state.round = 8, 9
    best = Finder(state, state.seat_to_act, paths, most_counted=6).best(1)[0][1]
    lengths = [length_after(state, placement) for placement in (best, longest)]
    assert lengths[0] == lengths[1] > len(state.cells[state.seat_to_act])


def test_a_playout_estimates_which_seat_is_ahead() -> None:
    state = a_turn(5, seats=3, plies=30)
    ends = [end_of(state, seat) for seat in range(3)]
    after, paths = state.clone(), Paths(state.setup)
    while after.outcome() is None:
        play_turn(after, quick_placement(after, paths))
    outcome = after.outcome()
    assert outcome is not None
    assert [ends.index(end) for end in sorted(ends, reverse=True)] == [
        outcome.placings.index(placing) for placing in (1, 2, 3)
    ]
    assert sum(ends) == pytest.approx(3 * AHEAD)


def test_without_any_time_the_quick_placement_is_played() -> None:
    state = a_turn(6, plies=20)
    paths = Paths(state.setup)
    assert best_placement(state, paths, lambda: 1.0)[0].plan(state) == quick_placement(state, paths).plan(
        state
    )
    opening = CARAVANSERAI.new_match(2, CARAVANSERAI.options(2, {}), a_seed(6))
    assert opening.is_legal(best_opening(opening, paths, lambda: 1.0))


@pytest.mark.parametrize("looks", [1, 5])
def test_a_search_ends_when_a_look_shows_that_its_time_is_over(looks: int) -> None:
    """Also in the middle of a match that is played out, which then counts for nothing."""
    state = a_turn(6, plies=20)
    paths = Paths(state.setup)
    first = Finder(state, state.seat_to_act, paths, most_counted=6).best(1)[0][1]
    assert best_placement(state, paths, Looks(looks).spent)[0].plan(state) == first.plan(state)


def test_with_more_time_the_match_ends_no_worse_by_its_own_reckoning() -> None:
    state = a_turn(7, seats=1)
    paths = Paths(state.setup)
    ends = []
    for looks in (1, 60, 600):
        after = state.clone()
        play_turn(after, best_placement(state, paths, Looks(looks).spent)[0])
        ends.append(end_of(after, 0))
    assert ends == sorted(ends)
    assert ends[0] < ends[-1]


def test_planner_beats_greedy_and_alone_it_gets_further(monkeypatch: pytest.MonkeyPatch) -> None:
    """S43: Xiansheng from 35 on."""
    monkeypatch.setattr(planner, "CANDIDATES", 6)
    monkeypatch.setenv("ARENA_THINK_MS", "100000")
    assert duel(CARAVANSERAI, Planner, Greedy, matches=2) == (2, 0)
    assert play_match(CARAVANSERAI, [Planner], 1).outcome.scores[0] >= 35
