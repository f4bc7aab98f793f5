"""Many matches at once are the matches that they would be one by one."""

import numpy as np
import pytest

from arena.research.setting import RefusedError, Setting
from arena.research.vector import VectorStepper
from engine.registry import GAMES

SHORT = {"turn_limit": "6"}
MATCHES = 3


@pytest.fixture
def stepper() -> VectorStepper:
    return VectorStepper("caravan", MATCHES, seats=2, options=SHORT, seed=1)


@pytest.mark.parametrize("game", GAMES)
def test_steps_play_what_single_positions_would_play(game: str) -> None:
    setting = Setting(game, 2)
    numbers = np.random.default_rng(9)
    states = [setting.new_match(numbers.bytes(32)) for _ in range(MATCHES)]
    stepper = VectorStepper(game, MATCHES, seats=2, seed=9)
    dice = np.random.default_rng(0)
    for _ in range(30):
        assert stepper.seat.tolist() == [state.seat_to_act for state in states]
        given = [setting.observe(state, state.seat_to_act) for state in states]
        assert np.array_equal(stepper.masks(), [each["action_mask"] for each in given])
        assert np.array_equal(stepper.actions(), [each["actions"] for each in given])
        observed = [setting.split(vector) for vector in stepper.observations()]
        for name in observed[0]:
            assert np.array_equal(
                [each[name] for each in observed], [each["observation"][name] for each in given]
            )
        places = dice.integers(0, stepper.legal)
        stepper.step(places)
        for state, place in zip(states, places, strict=True):
            state.apply(setting.action_at(state, place))


def test_a_match_that_is_over_gives_its_rewards_once_and_makes_room_for_the_next(
    stepper: VectorStepper,
) -> None:
    """C6, C18: six turns of 1, 2, 3, 4, 4 and 4 points; whoever passes ends its turn."""
    for _ in range(5):
        stepper.step([0] * MATCHES)
        assert not stepper.ended.any()
        assert not stepper.rewards.any()
    before = stepper.legal.copy()
    stepper.step([0] * MATCHES)
    assert stepper.ended.all()
    assert stepper.seat.tolist() == [0] * MATCHES
    assert stepper.legal.all()
    assert before.shape == stepper.legal.shape
    assert np.allclose(stepper.rewards.sum(axis=1), 0)
    stepper.step([0] * MATCHES)
    assert not stepper.ended.any()
    assert not stepper.rewards.any()


def test_the_rewards_are_those_of_the_outcome() -> None:
    stepper = VectorStepper("caravanserai", 2, seats=1, seed=1)
    dice = np.random.default_rng(1)
    while not stepper.ended.any():
        stepper.step(dice.integers(0, stepper.legal))
    assert stepper.rewards[stepper.ended].min() > 0
    assert not stepper.rewards[~stepper.ended].any()
    stepper.step(dice.integers(0, stepper.legal))
    assert not stepper.rewards.any()


def test_the_same_seed_gives_the_same_matches() -> None:
    first = [VectorStepper("wasteland", 2, seed=seed).observations() for seed in (4, 4, 5)]
    assert np.array_equal(first[0], first[1])
    assert not np.array_equal(first[0], first[2])


@pytest.mark.parametrize("places", [[0], [0, 0, 10_000], [0, -1, 0], [0.0, 0.0, 0.0], 0])
def test_places_that_are_none_are_refused_and_no_match_changes(
    stepper: VectorStepper, places: object
) -> None:
    before = stepper.observations()
    with pytest.raises(RefusedError):
        stepper.step(places)  # type: ignore[arg-type]
    assert np.array_equal(stepper.observations(), before)


def test_no_matches_are_refused() -> None:
    with pytest.raises(RefusedError):
        VectorStepper("caravan", 0)
