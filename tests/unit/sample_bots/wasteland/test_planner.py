"""The search bot of Wasteland: legal, fair about what is hidden, within its time. Clauses: docs/rules/wasteland.md."""

import os

import pytest

from arena.sdk import Clock
from engine.randomness import Stream
from engine.wasteland import WASTELAND
from engine.wasteland.actions import BUY, DONE_ACTION, STOP_ACTION, kind_of
from engine.wasteland.position import ASK_HIT, ASK_LOCATION, ASK_MOVE
from engine.wasteland.quick.policy import play_on, quick_action, turn_number
from engine.wasteland.quick.worth import leads
from engine.wasteland.state import WastelandState
from sample_bots.python.budget import Budget
from sample_bots.python.wasteland import planner
from sample_bots.python.wasteland.greedy import Greedy
from sample_bots.python.wasteland.planner import BELIEF, HORIZON, Planner, Search, follow
from sample_bots.python.wasteland.search.candidates import MOST, candidates
from tests.unit.sample_bots.driver import Looks, a_seed, ask, play_match
from tests.unit.sample_bots.wasteland.positions import some_of_each_kind


def after(looks: int, state: WastelandState) -> Search:
    search = Search(state.observe(state.seat_to_act), Stream(bytes(32)))
    search.grow(Looks(looks))
    return search


def test_candidates_are_legal_different_and_not_too_many() -> None:
    """A Movement is a candidate as a whole, and each of its steps is legal when it comes."""
    for state in some_of_each_kind():
        found = candidates(state)
        assert 1 <= len({each.actions for each in found}) == len(found) <= MOST
        for candidate in found:
            played = state.clone()
            for number, action in enumerate(candidate.actions):
                if number and played.decision != state.decision:
                    assert action in (STOP_ACTION, DONE_ACTION)
                    break
                assert action in played.legal_actions()
                played.apply(action)


def test_the_first_candidate_is_what_the_policy_would_play() -> None:
    """Movements apart, which are judged as a whole."""
    for state in some_of_each_kind():
        if state.decision != ASK_MOVE:
            assert candidates(state)[0].actions == (quick_action(state),)


def test_a_stay_without_a_purchase_is_looked_at_where_the_policy_would_buy() -> None:
    """W57."""
    shops = [
        state
        for state in some_of_each_kind()
        if state.decision == ASK_LOCATION and kind_of(quick_action(state)) == BUY
    ]
    assert shops
    for state in shops:
        idle = [each.actions for each in candidates(state) if each.actions[-1] == DONE_ACTION]
        assert len(idle) == 1
        assert BUY not in {kind_of(action) for action in idle[0]}


def many_ways() -> WastelandState:
    return next(state for state in some_of_each_kind() if len(candidates(state)) == MOST)


def test_a_deal_that_the_end_of_the_time_interrupts_counts_for_nothing() -> None:
    search = after(3, many_ways())
    assert search.deals == 0
    assert search._totals == [BELIEF * candidate.worth for candidate in search.candidates]
    assert search.best() == max(search.candidates, key=lambda candidate: candidate.worth)


def test_what_does_worse_is_dropped_as_time_passes() -> None:
    """A deal takes one look, and one more for each candidate that is left."""
    looks = 120
    assert after(looks, many_ways()).deals > 1.5 * looks / (MOST + 1)


def test_with_time_it_takes_what_comes_out_best_of_the_same_deals() -> None:
    """The same as by hand: all candidates from the same positions with the same dice, to the end of the next turn."""
    state = next(state for state in some_of_each_kind() if state.decision == ASK_MOVE)
    seat, seen = state.seat_to_act, state.observe(state.seat_to_act)
    search, stream = Search(seen, Stream(a_seed(1))), Stream(a_seed(1))
    WASTELAND.from_observation(seen, stream)
    totals = [BELIEF * candidate.worth for candidate in search.candidates]
    for _ in range(3):
        search._deal(Looks(10**9))
        dealt = WASTELAND.from_observation(seen, stream)
        for place, candidate in enumerate(search.candidates):
            played = dealt.clone()
            follow(played, candidate)
            play_on(played, turn_number(state) + HORIZON * state.setup.seats)
            totals[place] += leads(played)[seat]
    assert search._totals == totals
    search.grow(Looks(1))
    assert search.candidates.index(search.best()) == totals.index(max(totals))


def test_a_movement_is_thought_about_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """W32: the rest of it is remembered, and forgotten with the next question of another kind."""
    thought = []

    def recorded(_clock: Clock, _wish: float) -> Budget:
        thought.append(state.decision)
        return Looks(1)

    monkeypatch.setattr(planner, "Budget", recorded)
    monkeypatch.setattr(os, "urandom", bytes)
    bot = Planner()
    state = next(
        each.clone()
        for each in some_of_each_kind()
        if each.decision == ASK_MOVE and len(after(1, each).best().actions) > 2
    )
    steps = 0
    while state.decision == ASK_MOVE:
        [action] = ask(WASTELAND, bot, state)
        state.apply(action)
        steps += 1
    assert steps > 1
    assert thought == [ASK_MOVE]
    hit = next(each for each in some_of_each_kind() if each.decision == ASK_HIT)
    ask(WASTELAND, bot, hit)
    assert len(thought) == 2


@pytest.mark.parametrize("seats", [2, 4])
def test_planner_plays_whole_matches(seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """W65."""
    monkeypatch.setenv("ARENA_THINK_MS", "1")
    bots = [Planner if seat % 2 else Greedy for seat in range(seats)]
    assert play_match(WASTELAND, bots, seats).outcome.ending == "GOAL"
