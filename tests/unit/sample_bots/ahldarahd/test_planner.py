"""The search bot of Ahldarahd: legal, fair about what is hidden, within its time. Clauses: docs/rules/ahldarahd.md."""

from __future__ import annotations

import os
from collections import Counter
from itertools import count
from random import Random

import pytest

from arena.codecs.ahldarahd.codec import CODEC
from arena.sdk import Clock
from engine.ahldarahd import AHLDARAHD
from engine.ahldarahd.position import (
    ASK_BUILD,
    ASK_NOTHING,
    ASK_OPENING,
    ASK_PLEDGE,
    ASK_REPLY,
    ASK_SHAH,
    DECISION_NAMES,
)
from engine.ahldarahd.quick.policy import play_on
from engine.ahldarahd.quick.worth import lead
from engine.ahldarahd.state import AhldarahdState
from engine.game import TERMINAL
from engine.randomness import Stream
from sample_bots.python.ahldarahd import planner
from sample_bots.python.ahldarahd.greedy import Greedy
from sample_bots.python.ahldarahd.planner import HORIZON, Planner, Search
from sample_bots.python.ahldarahd.search.candidates import MOST, candidates
from sample_bots.python.budget import Budget
from tests.unit.engine.ahldarahd.choosing import TABLES, a_match, choose
from tests.unit.sample_bots.driver import a_seed, ask, play_match

MOST_OF_A_KIND = 5


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


@pytest.fixture(scope="module")
def positions() -> list[AhldarahdState]:
    """Up to MOST_OF_A_KIND of each kind of decision, from all kinds of matches."""
    found: Counter[int] = Counter()
    kept = []
    for number, (seats, values) in enumerate(TABLES):
        state, dice = a_match(seats, values, a_seed(100 + number)), Random(number)
        taken: set[int] = set()
        while state.seat_to_act != TERMINAL:
            decision = state.decision
            rare = decision >= ASK_REPLY or dice.randrange(4) == 0
            if state.turn > 1 and rare and decision not in taken and found[decision] < MOST_OF_A_KIND:
                taken.add(decision)
                found[decision] += 1
                kept.append(state.clone())
            state.apply(choose(state, dice))
    return [a_match(), *kept]


def hidden_things_changed(state: AhldarahdState, number: int) -> AhldarahdState:
    """Return the same for the seat to act; hands, deck and draws to come are others."""
    seen = state.observe(state.seat_to_act)
    return AHLDARAHD.from_observation(seen, Stream(a_seed(number)))


def after(looks: int, state: AhldarahdState) -> tuple[int, Search]:
    search = Search(state.observe(state.seat_to_act), Stream(bytes(32)))
    search.grow(Looks(looks))
    return search.best(), search


def test_every_kind_of_decision_is_answered_legally(
    positions: list[AhldarahdState], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A48; the wire's messages in, a place in the list out."""
    monkeypatch.setenv("ARENA_THINK_MS", "2")
    for state in positions:
        ask(AHLDARAHD, Planner(), state)
    assert {state.decision for state in positions} == set(range(len(DECISION_NAMES))) - {ASK_NOTHING}


def test_candidates_are_listed_different_and_not_too_many(positions: list[AhldarahdState]) -> None:
    for state in positions:
        found = candidates(state)
        assert set(found) <= set(state.legal_actions())
        assert 1 <= len(set(found)) == len(found) <= MOST


def test_what_is_hidden_changes_neither_what_is_looked_at_nor_what_is_chosen(
    positions: list[AhldarahdState],
) -> None:
    """A51: with the same stream and the same time."""
    differing = 0
    for number, state in enumerate(positions):
        others = [hidden_things_changed(state, 10 * number + each) for each in range(2)]
        differing += len({other.digest() for other in (state, *others)}) - 1
        answers = [after(30, each) for each in (state, *others)]
        assert len({(best, tuple(search.actions), search.deals) for best, search in answers}) == 1
    assert differing > len(positions)


def test_the_bot_itself_answers_the_same_whatever_is_hidden(
    positions: list[AhldarahdState], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own stream made the same each time, its time counted in looks."""
    monkeypatch.setattr(planner, "Budget", lambda _clock, _wish: Looks(30))
    monkeypatch.setattr(os, "urandom", bytes)
    for number, state in enumerate(positions):
        assert ask(AHLDARAHD, Planner(), state) == ask(
            AHLDARAHD, Planner(), hidden_things_changed(state, number)
        )


@pytest.mark.parametrize("looks", [1, 2, 7, 40])
def test_a_search_ends_at_the_first_look_that_shows_its_time_to_be_over(
    positions: list[AhldarahdState], looks: int
) -> None:
    """Also in the middle of a deal, which then counts for no action."""
    for state in positions[::3]:
        budget = Looks(looks)
        search = Search(state.observe(state.seat_to_act), Stream(bytes(32)))
        search.grow(budget)
        # Each round of halving looks once more before it ends.
        assert budget.seen <= 1 + (len(search.actions).bit_length() + 1) / looks
        assert search.deals <= looks


def test_without_any_time_it_plays_what_needs_no_search(positions: list[AhldarahdState]) -> None:
    """Nothing is given away and nobody is trusted: the defaults, or a placement that leaves some of its worth."""
    for state in positions:
        best, search = after(1, state)
        assert best == search.actions[0]
        assert search.deals == 0
        if state.decision in (ASK_REPLY, ASK_SHAH, ASK_PLEDGE):
            assert best == state.default_action()


def test_with_time_it_takes_what_comes_out_best_of_the_same_deals(positions: list[AhldarahdState]) -> None:
    """The same as by hand: all actions from the same positions, with the same chance, to the end of the next turn."""
    state = next(state for state in positions if state.decision in (ASK_OPENING, ASK_BUILD))
    seat, seen = state.seat_to_act, state.observe(state.seat_to_act)
    search = Search(seen, Stream(a_seed(1)))
    stream = Stream(a_seed(1))
    AHLDARAHD.from_observation(seen, stream)
    totals = dict.fromkeys(search.actions, 0.0)
    budget = Looks(10**9)
    for _ in range(5):
        search._deal(budget)
        dealt = AHLDARAHD.from_observation(seen, stream)
        chance = b"".join(stream.word().to_bytes(8, "big") for _ in range(4))
        for action in search.actions:
            played = dealt.clone()
            played.apply(action)
            play_on(played, Stream(chance), state.turn + HORIZON)
            totals[action] += lead(played, seat)
    assert search._totals == list(totals.values())


def test_it_asks_for_15_percent_of_the_wall_time_that_the_clock_allows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """docs/bots/ahldarahd.md."""
    wishes = []

    def recorded(_clock: Clock, wish: float) -> Budget:
        wishes.append(wish)
        return Looks(1)

    monkeypatch.setattr(planner, "Budget", recorded)
    monkeypatch.delenv("ARENA_THINK_MS", raising=False)
    ask(AHLDARAHD, Planner(), a_match())
    assert wishes == [pytest.approx(0.15 * (1000 / 2 + 10_000 / 50))]


def test_a_decision_without_a_choice_takes_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A47: `build` with nothing but `done` is asked all the same."""
    monkeypatch.setattr(planner, "Budget", None)
    state = a_match()
    state.turn, state.phase, state.decision, state.gold = 1, 2, ASK_BUILD, [0, 0]
    state.order, state.seat_to_act = (0, 1), 0
    state.hands, state.holders = [[0] * 10, [0] * 10], [-1] * len(state.holders)
    assert len(state.legal_actions()) == 1
    ask(AHLDARAHD, Planner(), state)


@pytest.mark.parametrize("seats", [2, 5])
def test_planner_plays_whole_matches_with_offers_and_nights(
    seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_THINK_MS", "1")
    values = {"night_of_the_outsider": "true", "trading": "true"}
    bots = [Planner if seat % 2 else Greedy for seat in range(seats)]
    outcome = play_match(AHLDARAHD, bots, seats, values=values).outcome
    assert max(outcome.scores) >= 4


def test_an_observation_off_the_wire_is_what_the_search_is_given(positions: list[AhldarahdState]) -> None:
    """Nothing but it: no state is kept from one decision to the next."""
    assert set(vars(Planner())) <= {"match"}
    seen = positions[0].observe(0)
    assert Search(seen, Stream(bytes(32))).actions
    assert CODEC.game is AHLDARAHD
