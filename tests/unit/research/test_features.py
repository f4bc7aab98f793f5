"""What every feature list promises: numbers of the shape and within the bounds that it says."""

from math import prod

import numpy as np
import pytest

from arena.research.features import NONE, features_for
from arena.research.setting import Setting
from engine.game import SPECTATOR
from engine.registry import GAMES
from tests.unit.contract.cases import CASES, Case, final
from tests.unit.research.settings import OPTIONS, all_settings, setting_of, some_states


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_feature_has_its_shape_and_its_bounds_for_every_viewer(case: Case) -> None:
    setting = setting_of(case)
    for state in (*some_states(case), final(case)):
        for viewer in (*range(case.seats), SPECTATOR):
            view = state.observe(viewer)
            for feature in setting.features:
                values = np.array([*feature.read(view)], np.int64)
                assert len(values) == prod(feature.shape), feature.name
                assert feature.low <= values.min(), feature.name
                assert values.max() <= feature.high, feature.name


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_vector_holds_the_features_in_their_order(case: Case) -> None:
    setting = setting_of(case)
    view = some_states(case)[-1].observe(0)
    vector = setting.vector(view)
    assert vector.shape == (setting.size,)
    split = setting.split(vector)
    assert [*split] == [feature.name for feature in setting.features]
    for feature in setting.features:
        assert split[feature.name].shape == feature.shape
        assert split[feature.name].ravel().tolist() == [int(value) for value in feature.read(view)]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_action_space_has_a_place_for_every_action_of_a_list(case: Case) -> None:
    setting = setting_of(case)
    assert all(len(state.legal_actions()) <= setting.actions for state in some_states(case))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_fields_tell_legal_actions_apart(case: Case) -> None:
    setting = setting_of(case)
    for state in some_states(case):
        rows = setting.table(state)[: len(state.legal_actions())]
        assert len(np.unique(rows, axis=0)) == len(rows)
        assert not (setting.table(state)[len(rows) :] != NONE).any()


@pytest.mark.parametrize("game", GAMES)
def test_names_and_order_of_features_depend_on_neither_seats_nor_options(game: str) -> None:
    names = {
        tuple(feature.name for feature in Setting(game, seats, options).features)
        for name, seats, options in all_settings()
        if name == game
    }
    assert len(names) == 1
    assert len(set(*names)) == len(*names)


@pytest.mark.parametrize("game", GAMES)
def test_every_feature_and_field_is_explained_in_a_sentence(game: str) -> None:
    features = features_for(game)
    meanings = [feature.meaning for feature in Setting(game).features] + [
        field.meaning for field in features.fields
    ]
    assert all(meaning.endswith(".") for meaning in meanings)


@pytest.mark.parametrize("game", GAMES)
def test_fields_of_one_kind_of_action_share_no_bit(game: str) -> None:
    features = features_for(game)
    for kind in range(len(features.kinds)):
        taken = [
            ((1 << bits.count) - 1) << bits.lowest
            for field in features.fields
            if (bits := field.bits.get(kind)) is not None
        ]
        taken.append(-1 << features.kind_shift)
        assert sum(taken) == _union(taken)


def _union(masks: list[int]) -> int:
    union = 0
    for mask in masks:
        union |= mask
    return union


@pytest.mark.parametrize("game", GAMES)
def test_the_tests_try_every_option(game: str) -> None:
    assert {name for options in OPTIONS[game] for name in options} == {
        option.name for option in GAMES[game].spec.options
    }


def test_a_game_without_a_feature_list_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        features_for("chess")
