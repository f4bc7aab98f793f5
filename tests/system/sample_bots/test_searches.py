"""The searches of games with hidden information: legal, fair about what is hidden, within their time."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import pytest

from arena.sdk import Clock
from engine import ahldarahd, wasteland
from engine.ahldarahd import AHLDARAHD
from engine.game import Game, State
from engine.randomness import Stream
from engine.wasteland import WASTELAND
from sample_bots.python.ahldarahd import planner as ahldarahd_planner
from sample_bots.python.budget import Budget
from sample_bots.python.wasteland import planner as wasteland_planner
from tests.unit.sample_bots.ahldarahd.positions import some_of_each_kind as some_of_ahldarahd
from tests.unit.sample_bots.driver import Looks, ask, with_another_deal
from tests.unit.sample_bots.wasteland.positions import some_of_each_kind as some_of_wasteland


@dataclass(frozen=True)
class Kit:
    """The search bot of a game, and positions of every kind of decision."""

    game: Game
    planner: ModuleType
    looked_at: str
    """The attribute of its search that holds what it tries."""
    share: float
    """What it asks for of the time that the clock allows, as its page says."""
    decisions: int

    def positions(self) -> Sequence[State]:
        return some_of_ahldarahd() if self.game is AHLDARAHD else some_of_wasteland()

    def grown(self, state: State, budget: Budget) -> Any:
        search = self.planner.Search(state.observe(state.seat_to_act), Stream(bytes(32)))
        search.grow(budget)
        return search


KITS = [
    Kit(AHLDARAHD, ahldarahd_planner, "actions", 0.15, len(ahldarahd.position.DECISION_NAMES)),
    Kit(WASTELAND, wasteland_planner, "candidates", 0.25, len(wasteland.position.DECISION_NAMES)),
]


@pytest.fixture(params=KITS, ids=lambda kit: kit.game.spec.id)
def kit(request: pytest.FixtureRequest) -> Kit:
    value: Kit = request.param
    return value


def test_every_kind_of_decision_is_answered_legally(kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    """A48, W72; the wire's messages in, a place in the list out."""
    monkeypatch.setenv("ARENA_THINK_MS", "2")
    positions: Any = kit.positions()
    for state in positions:
        ask(kit.game, kit.planner.Planner(), state)
    assert len({state.decision for state in positions}) == kit.decisions - 1, "all but that nothing is asked"


def test_what_is_hidden_changes_neither_what_is_looked_at_nor_what_is_chosen(kit: Kit) -> None:
    """A51, W70: with the same stream and the same time."""
    differing, positions = 0, kit.positions()
    for number, state in enumerate(positions):
        other = with_another_deal(kit.game, state, number)
        differing += state.digest() != other.digest()
        one, two = (kit.grown(each, Looks(25)) for each in (state, other))
        assert getattr(one, kit.looked_at) == getattr(two, kit.looked_at)
        assert (one.best(), one.deals) == (two.best(), two.deals)
    assert differing > len(positions) // 2


def test_the_bot_itself_answers_the_same_whatever_is_hidden(
    kit: Kit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own stream made the same each time, its time counted in looks."""
    monkeypatch.setattr(kit.planner, "Budget", lambda _clock, _wish: Looks(30))
    monkeypatch.setattr(os, "urandom", bytes)
    for number, state in enumerate(kit.positions()[::2]):
        states = (state, with_another_deal(kit.game, state, number))
        one, other = (ask(kit.game, kit.planner.Planner(), each) for each in states)
        assert one == other


@pytest.mark.parametrize("looks", [1, 2, 7, 40])
def test_a_search_ends_at_the_first_look_that_shows_its_time_to_be_over(kit: Kit, looks: int) -> None:
    """Also in the middle of a deal, which then counts for nothing."""
    for state in kit.positions()[::3]:
        budget = Looks(looks)
        search = kit.grown(state, budget)
        # Each round of halving looks once more before it ends.
        assert budget.seen <= 1 + (len(getattr(search, kit.looked_at)).bit_length() + 1) / looks
        assert search.deals <= looks


def test_it_asks_for_its_share_of_the_wall_time_that_the_clock_allows(
    kit: Kit, monkeypatch: pytest.MonkeyPatch
) -> None:
    wishes = []

    def recorded(_clock: Clock, wish: float) -> Budget:
        wishes.append(wish)
        return Looks(1)

    monkeypatch.setattr(kit.planner, "Budget", recorded)
    monkeypatch.delenv("ARENA_THINK_MS", raising=False)
    ask(kit.game, kit.planner.Planner(), kit.positions()[0])
    assert wishes == [pytest.approx(kit.share * (1000 / 2 + 10_000 / 50))]
