"""What engine/game.py itself decides."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pytest

from engine.ahldarahd import AHLDARAHD
from engine.caravan import CARAVAN
from engine.caravanserai import CARAVANSERAI
from engine.game import SPECTATOR, Event, Game, State
from engine.registry import GAMES
from engine.wasteland import WASTELAND


@dataclass(frozen=True, slots=True)
class Whisper(Event):
    """An event for some seats only."""

    seats: frozenset[int]

    def audience(self) -> frozenset[int]:
        return self.seats


def test_an_event_is_visible_to_all_seats_unless_its_game_says_otherwise() -> None:
    event = Event()
    assert event.seen_by(0) is event
    assert event.seen_by(SPECTATOR) is event


def test_an_event_with_an_audience_is_seen_by_it_alone() -> None:
    event = Whisper(frozenset({1, 2}))
    assert event.seen_by(2) is event
    assert event.seen_by(0) is None
    assert event.seen_by(SPECTATOR) is None


def test_what_is_listed_is_legal_unless_a_game_knows_of_more() -> None:
    game = next(iter(GAMES.values()))
    state = game.new_match(2, game.options(2, {}), bytes(32))
    assert State.is_legal(state, state.legal_actions()[0])
    assert not State.is_legal(state, -1)


def test_a_game_has_no_levels_unless_its_rules_do() -> None:
    assert next(iter(GAMES.values())).level(1000) == ""


def test_in_a_game_without_offers_no_action_answers_one() -> None:
    game = next(each for each in GAMES.values() if type(each).exchange is Game.exchange)
    state = game.new_match(2, game.options(2, {}), bytes(32))
    assert game.exchange(state, state.legal_actions()[0]) is None


@pytest.mark.parametrize("game", [CARAVAN, CARAVANSERAI])
def test_all_see_the_same_of_the_games_in_which_nothing_is_hidden(game: Game) -> None:
    state = game.new_match(3, game.options(3, {}), bytes(32))
    seen: list[Any] = [state.observe(viewer) for viewer in (SPECTATOR, 0, 1, 2)]
    assert [view.viewer for view in seen] == [SPECTATOR, 0, 1, 2]
    assert len({for_spectators(view) for view in seen}) == 1


def for_spectators(view: Any) -> Any:
    """Return a view as if spectators had it; Caravan's is a named tuple, others are data classes."""
    changed = getattr(view, "_replace", partial(replace, view))
    return changed(viewer=SPECTATOR)


@pytest.mark.parametrize("game", [AHLDARAHD, CARAVAN, CARAVANSERAI, WASTELAND])
def test_the_legal_list_is_made_once_for_a_position(game: Game) -> None:
    state = game.new_match(2, game.options(2, {}), bytes(32))
    assert state.legal_actions() is state.legal_actions()
