"""The search bot of Wasteland: legal, fair about what is hidden, within its time. Clauses: docs/rules/wasteland.md."""

from __future__ import annotations

import os
from itertools import count

import pytest

from arena.sdk import Clock
from engine.randomness import Stream
from engine.wasteland import WASTELAND
from engine.wasteland.actions import BUY, DONE_ACTION, STOP_ACTION, kind_of
from engine.wasteland.position import ASK_HIT, ASK_LOCATION, ASK_MOVE
from engine.wasteland.quick.policy import play_on, quick_action, turn_number
from engine.wasteland.quick.worth import lead
from engine.wasteland.state import WastelandState
from sample_bots.python.budget import Budget
from sample_bots.python.wasteland import planner
from sample_bots.python.wasteland.greedy import Greedy
from sample_bots.python.wasteland.planner import BELIEF, HORIZON, Planner, Search, follow
from sample_bots.python.wasteland.search.candidates import MOST, candidates
from tests.unit.sample_bots.driver import a_seed, ask, play_match
from tests.unit.sample_bots.wasteland.positions import a_match, hidden_things_changed


class Looks(Budget):
    """Time that is over after so many looks at it."""

    def __init__(self, looks: int) -> None:
        super().__init__(Clock(1000, 0, 0, 1000, 1.0), 1000)
        self._count = count()
        self._looks = looks
        self.seen = 0.0

    def spent(self) -> float:
        """Spend a part more each time."""
        self.seen = next(self._count) / self._looks
        return self.seen


def after(looks: int, state: WastelandState) -> Search:
    search = Search(state.observe(state.seat_to_act), Stream(bytes(32)))
    search.grow(Looks(looks))
    return search


def test_every_kind_of_decision_is_answered_legally(
    positions: list[WastelandState], monkeypatch: pytest.MonkeyPatch
) -> None:
    """W72; the wire's messages in, a place in the list out."""
    monkeypatch.setenv("ARENA_THINK_MS", "2")
    for state in positions:
        ask(WASTELAND, Planner(), state)


def test_candidates_are_legal_different_and_not_too_many(positions: list[WastelandState]) -> None:
    """A Movement is a candidate as a whole, and each of its steps is legal when it comes."""
    for state in positions:
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


def test_the_first_candidate_is_what_the_policy_would_play(positions: list[WastelandState]) -> None:
    """Movements apart, which are judged as a whole."""
    for state in positions:
        if state.decision != ASK_MOVE:
            assert candidates(state)[0].actions == (quick_action(state),)


def test_a_stay_without_a_purchase_is_looked_at_where_the_policy_would_buy(
    positions: list[WastelandState],
) -> None:
    """W57."""
    shops = [
        state for state in positions if state.decision == ASK_LOCATION and kind_of(quick_action(state)) == BUY
    ]
    assert shops
    for state in shops:
        idle = [each.actions for each in candidates(state) if each.actions[-1] == DONE_ACTION]
        assert len(idle) == 1
        assert BUY not in {kind_of(action) for action in idle[0]}


def test_what_is_hidden_changes_neither_what_is_looked_at_nor_what_is_chosen(
    positions: list[WastelandState],
) -> None:
    """W70: with the same stream and the same time."""
    differing = 0
    for number, state in enumerate(positions[::2]):
        same = (state, hidden_things_changed(state, number))
        differing += same[0].digest() != same[1].digest()
        first, second = (after(20, each) for each in same)
        assert (first.best(), first.candidates, first.deals) == (
            second.best(),
            second.candidates,
            second.deals,
        )
    assert differing > len(positions) // 3


@pytest.mark.parametrize("looks", [1, 2, 7, 40])
def test_a_search_ends_at_the_first_look_that_shows_its_time_to_be_over(
    positions: list[WastelandState], looks: int
) -> None:
    """Also in the middle of a deal, which then counts for no candidate."""
    for state in positions[::4]:
        budget = Looks(looks)
        search = Search(state.observe(state.seat_to_act), Stream(bytes(32)))
        search.grow(budget)
        # Each round of halving looks once more before it ends.
        assert budget.seen <= 1 + (len(search.candidates).bit_length() + 1) / looks
        assert search.deals <= looks


def many_ways(positions: list[WastelandState]) -> WastelandState:
    return next(state for state in positions if len(candidates(state)) == MOST)


def test_a_deal_that_the_end_of_the_time_interrupts_counts_for_nothing(
    positions: list[WastelandState],
) -> None:
    search = after(3, many_ways(positions))
    assert search.deals == 0
    assert search._totals == [BELIEF * candidate.worth for candidate in search.candidates]
    assert search.best() == max(search.candidates, key=lambda candidate: candidate.worth)


def test_what_does_worse_is_dropped_as_time_passes(positions: list[WastelandState]) -> None:
    """A deal takes one look, and one more for each candidate that is left."""
    looks = 120
    assert after(looks, many_ways(positions)).deals > 1.5 * looks / (MOST + 1)


def test_with_time_it_takes_what_comes_out_best_of_the_same_deals(positions: list[WastelandState]) -> None:
    """The same as by hand: all candidates from the same positions with the same dice, to the end of the next turn."""
    state = next(state for state in positions if state.decision == ASK_MOVE)
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
            totals[place] += lead(played, seat)
    assert search._totals == totals
    search.grow(Looks(1))
    assert search.candidates.index(search.best()) == totals.index(max(totals))


def test_it_asks_for_a_quarter_of_the_wall_time_that_the_clock_allows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """docs/bots/wasteland.md."""
    wishes = []

    def recorded(_clock: Clock, wish: float) -> Budget:
        wishes.append(wish)
        return Looks(1)

    monkeypatch.setattr(planner, "Budget", recorded)
    monkeypatch.delenv("ARENA_THINK_MS", raising=False)
    ask(WASTELAND, Planner(), a_match())
    assert wishes == [pytest.approx(0.25 * (1000 / 2 + 10_000 / 50))]


def test_a_movement_is_thought_about_once(
    positions: list[WastelandState], monkeypatch: pytest.MonkeyPatch
) -> None:
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
        for each in positions
        if each.decision == ASK_MOVE and len(after(1, each).best().actions) > 2
    )
    steps = 0
    while state.decision == ASK_MOVE:
        [action] = ask(WASTELAND, bot, state)
        state.apply(action)
        steps += 1
    assert steps > 1
    assert thought == [ASK_MOVE]
    hit = next(each for each in positions if each.decision == ASK_HIT)
    ask(WASTELAND, bot, hit)
    assert len(thought) == 2


@pytest.mark.parametrize("seats", [2, 4])
def test_planner_plays_whole_matches(seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """W65."""
    monkeypatch.setenv("ARENA_THINK_MS", "1")
    bots = [Planner if seat % 2 else Greedy for seat in range(seats)]
    assert play_match(WASTELAND, bots, seats).outcome.ending == "GOAL"
