"""The search bot of Ahldarahd: legal, fair about what is hidden, within its time. Clauses: docs/rules/ahldarahd.md."""

import pytest

from engine.ahldarahd import AHLDARAHD
from engine.ahldarahd.position import ASK_BUILD, ASK_OPENING, ASK_PLEDGE, ASK_REPLY, ASK_SHAH
from engine.ahldarahd.quick.policy import play_on
from engine.ahldarahd.quick.worth import leads
from engine.ahldarahd.state import AhldarahdState
from engine.randomness import Stream
from sample_bots.python.ahldarahd import planner
from sample_bots.python.ahldarahd.greedy import Greedy
from sample_bots.python.ahldarahd.planner import HORIZON, Planner, Search
from sample_bots.python.ahldarahd.search.candidates import MOST, candidates
from tests.unit.engine.ahldarahd.choosing import a_match
from tests.unit.sample_bots.ahldarahd.positions import some_of_each_kind
from tests.unit.sample_bots.driver import Looks, a_seed, ask, play_match


def after(looks: int, state: AhldarahdState) -> tuple[int, Search]:
    search = Search(state.observe(state.seat_to_act), Stream(bytes(32)))
    search.grow(Looks(looks))
    return search.best(), search


def test_candidates_are_listed_different_and_not_too_many() -> None:
    for state in some_of_each_kind():
        found = candidates(state)
        assert set(found) <= set(state.legal_actions())
        assert 1 <= len(set(found)) == len(found) <= MOST


def test_without_any_time_it_plays_what_needs_no_search() -> None:
    """Nothing is given away and nobody is trusted: the defaults, or a placement that leaves some of its worth."""
    for state in some_of_each_kind():
        best, search = after(1, state)
        assert best == search.actions[0]
        assert search.deals == 0
        if state.decision in (ASK_REPLY, ASK_SHAH, ASK_PLEDGE):
            assert best == state.default_action()


def test_with_time_it_takes_what_comes_out_best_of_the_same_deals() -> None:
    """The same as by hand: all actions from the same positions, with the same chance, to the end of the next turn."""
    state = next(state for state in some_of_each_kind() if state.decision in (ASK_OPENING, ASK_BUILD))
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
            totals[action] += leads(played)[seat]
    assert search._totals == list(totals.values())


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
