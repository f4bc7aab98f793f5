"""What every game object, its options and its surroundings promise."""

import re
from pathlib import Path

import pytest

from engine.game import TERMINAL, Game, InvalidOptionsError
from engine.randomness import Stream
from engine.registry import GAMES
from tests.unit.contract.cases import CASES, Case

DOCS = Path(__file__).parents[3] / "docs" / "rules"


def test_a_game_is_registered_under_its_id() -> None:
    assert {name: game.spec.id for name, game in GAMES.items()} == {name: name for name in GAMES}


def test_a_game_says_what_it_is(game: Game) -> None:
    spec = game.spec
    assert re.fullmatch(r"[a-z][a-z0-9]{0,23}", spec.id)
    assert spec.title
    assert spec.rules_version >= 1
    assert 1 <= spec.min_seats <= spec.max_seats
    assert spec.hidden_information or not spec.secret_decisions
    for option in spec.options:
        assert option.name.isidentifier()
        assert option.description.endswith(".")
        assert option.default
        assert option.allowed


def test_every_game_has_a_playthrough_for_each_number_of_seats(game: Game) -> None:
    played = {case.seats for case in CASES if case.game == game.spec.id}
    assert played == set(range(game.spec.min_seats, game.spec.max_seats + 1))


def test_every_game_that_has_options_has_a_playthrough_with_them(game: Game) -> None:
    played = [case.options for case in CASES if case.game == game.spec.id]
    assert any(played) == bool(game.spec.options)


def test_every_playthrough_is_of_a_registered_game() -> None:
    assert {case.game for case in CASES} == set(GAMES)


def test_the_rules_of_every_game_are_documented_with_all_its_options(game: Game) -> None:
    text = (DOCS / f"{game.spec.id}.md").read_text(encoding="utf-8")
    assert game.spec.title in text
    for option in game.spec.options:
        assert f"`{option.name}`" in text


def test_options_are_read_back_from_their_text(case: Case) -> None:
    options = case.rules.options(case.seats, case.options)
    values = case.rules.option_values(options)
    assert case.rules.options(case.seats, values) == options
    assert set(values) == {option.name for option in case.rules.spec.options}
    assert values == values | {name: values[name] for name in case.options}


def test_options_are_values_that_cannot_be_changed(case: Case) -> None:
    options = case.rules.options(case.seats, case.options)
    hash(options)
    for option in case.rules.spec.options:
        with pytest.raises(AttributeError):
            setattr(options, option.name, None)


def test_an_unknown_option_is_refused_by_its_name(game: Game) -> None:
    with pytest.raises(InvalidOptionsError, match='"sandstorm"') as caught:
        game.options(game.spec.min_seats, {"sandstorm": "1"})
    assert caught.value.option == "sandstorm"


def test_a_value_that_no_option_has_is_refused_by_the_name_of_the_option_or_by_the_value(game: Game) -> None:
    for option in game.spec.options:
        for value in ("", "no such value", "-1", "\x00", "9" * 5000):
            with pytest.raises(InvalidOptionsError, match=option.name) as caught:
                game.options(game.spec.min_seats, {option.name: value})
            assert caught.value.option == option.name


def test_wrong_numbers_of_seats_are_refused(game: Game) -> None:
    for seats in (game.spec.min_seats - 1, game.spec.max_seats + 1, -1):
        with pytest.raises(InvalidOptionsError, match=str(seats)):
            game.options(seats, {})


def test_every_number_of_seats_has_default_options_and_a_bound_on_plies(game: Game) -> None:
    for seats in range(game.spec.min_seats, game.spec.max_seats + 1):
        assert game.max_plies(seats, game.options(seats, {})) > 0


def test_a_long_match_is_no_longer_than_the_bound_and_at_least_as_long_as_sensible_play(game: Game) -> None:
    for seats in range(game.spec.min_seats, game.spec.max_seats + 1):
        options = game.options(seats, {})
        state, stream = game.new_match(seats, options, bytes(32)), Stream(bytes([1] * 32))
        asked = [0] * seats
        while state.seat_to_act != TERMINAL:
            asked[state.seat_to_act] += 1
            state.apply(game.sensible_action(state, stream))
        assert max(asked) <= game.long_match(seats, options) <= game.max_plies(seats, options)
