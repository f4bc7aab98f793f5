"""One seat against opponents: whose turn it is, what opponents are given, the end, what is refused."""

from typing import Any

import numpy as np
import pytest

from arena.research.gymnasium import SeatEnv, env
from arena.research.setting import RefusedError, SeatObservation

SHORT = {"turn_limit": "9"}


def first_legal(given: SeatObservation) -> int:
    return int(np.flatnonzero(given["action_mask"])[0])


def play(environment: SeatEnv, seed: int) -> tuple[float, dict[str, Any], int]:
    """Play a match at random; return the reward, what was told at its end, and the number of steps."""
    dice, steps = np.random.default_rng(seed), 0
    given, _ = environment.reset(seed=seed)
    while True:
        steps += 1
        assert given["action_mask"].any()
        given, reward, over, truncated, info = environment.step(
            dice.choice(np.flatnonzero(given["action_mask"]))
        )
        assert not truncated
        if over:
            return reward, info, steps
        assert (reward, info) == (0.0, {})


@pytest.mark.parametrize("opponents", ["random", "sensible", first_legal, ["random", first_legal]])
def test_a_match_is_played_to_its_end_against_any_opponents(opponents: Any) -> None:
    reward, info, steps = play(env("caravan", opponents, seat=1, seats=3, options=SHORT), 1)
    assert -1 <= reward <= 1
    assert info.keys() == {"placing", "score", "ending"}
    assert steps >= 3


@pytest.mark.parametrize("opponents", ["random", "sensible"])
def test_the_same_seed_and_actions_give_the_same_match(opponents: str) -> None:
    environment = env("wasteland", opponents, seats=2, options={"max_rounds": "3"})
    assert play(environment, 5) == play(environment, 5)


def test_a_function_is_given_what_its_own_seat_sees() -> None:
    seen: list[SeatObservation] = []

    def watching(given: SeatObservation) -> int:
        seen.append(given)
        return first_legal(given)

    play(env("ahldarahd", watching, seat=0, seats=2), 1)
    assert {int(given["observation"]["viewer"][0]) for given in seen} == {1}
    assert all(given["action_mask"].any() for given in seen)


def test_what_the_seat_is_given_lies_in_its_space() -> None:
    environment = env("ahldarahd", seats=2)
    given, _ = environment.reset(seed=2)
    assert environment.observation_space.contains(given)


def test_one_seat_plays_alone() -> None:
    reward, info, _ = play(env("caravanserai", seats=1), 3)
    assert reward == info["score"]


@pytest.mark.parametrize(
    ("opponents", "seat"),
    [("mcts", 0), (["random"], 0), (["random", 5], 0), (7, 0), ("random", 3), ("random", -1)],
)
def test_opponents_and_seats_that_there_are_not_are_refused(opponents: Any, seat: int) -> None:
    with pytest.raises(RefusedError):
        env("caravan", opponents, seat=seat, seats=3)


def test_an_opponent_that_answers_with_what_is_no_place_is_refused() -> None:
    environment = env("caravan", lambda _given: -1, seat=1, seats=2)
    with pytest.raises(RefusedError):
        environment.reset(seed=1)


def test_an_illegal_place_is_refused_and_changes_nothing() -> None:
    environment = env("caravan", seats=2)
    given, _ = environment.reset(seed=1)
    with pytest.raises(RefusedError):
        environment.step(environment.setting.actions - 1)
    environment.step(first_legal(given))


def test_a_step_without_a_running_match_is_refused() -> None:
    environment = env("caravan", seats=2, options=SHORT)
    with pytest.raises(RefusedError, match="reset"):
        environment.step(0)
    play(environment, 1)
    with pytest.raises(RefusedError, match="reset"):
        environment.step(0)


def test_a_match_in_which_the_seat_decides_nothing_is_refused() -> None:
    environment = env("caravan", seat=1, seats=2, options={"turn_limit": "1"})
    with pytest.raises(RefusedError):
        environment.reset(seed=1)


def test_the_position_is_rendered_as_the_seat_sees_it(capsys: pytest.CaptureFixture[str]) -> None:
    """A51: the own hand is in it."""
    rendered = {}
    for mode in ("ansi", "svg", "human"):
        environment = env("ahldarahd", render_mode=mode, seats=2)
        with pytest.raises(RefusedError):
            environment.render()
        environment.reset(seed=1)
        rendered[mode] = environment.render()
        assert environment._state is not None
        assert rendered["ansi"] == environment.setting.text(environment._state, 0)
    assert (rendered["svg"] or "").startswith("<svg")
    assert rendered["human"] is None
    assert capsys.readouterr().out == f"{rendered['ansi']}\n"


def test_render_modes_are_refused_as_in_the_other_environment() -> None:
    with pytest.raises(RefusedError):
        env("caravan", render_mode="rgb_array")
    with pytest.raises(RefusedError):
        env("caravan").render()
