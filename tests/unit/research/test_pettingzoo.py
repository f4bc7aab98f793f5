"""What the AEC environment adds to a setting: agents, turns, the end, seeds, rendering."""

from typing import Any

import numpy as np
import pytest
from gymnasium.spaces import Discrete

from arena.research.pettingzoo import MatchEnv, env, raw_env
from arena.research.setting import RefusedError
from engine.game import SPECTATOR

SHORT = {"turn_limit": "6"}
MATCH_SEED = "5e" * 32


def play(environment: Any, seed: int = 0) -> None:
    """Play a match at random, up to the moment at which all agents are told of its end."""
    dice = np.random.default_rng(seed)
    while not any(environment.terminations.values()):
        mask = environment.observe(environment.agent_selection)["action_mask"]
        environment.step(dice.choice(np.flatnonzero(mask)))


@pytest.fixture
def match() -> MatchEnv:
    environment = raw_env("caravan", seats=3, options=SHORT)
    environment.reset(seed=1)
    return environment


def test_agents_are_the_seats_and_the_one_selected_may_act(match: MatchEnv) -> None:
    assert match.agents == ["seat_0", "seat_1", "seat_2"]
    assert match.agent_selection == "seat_0"
    assert match.observe("seat_0")["action_mask"].any()
    assert not match.observe("seat_1")["action_mask"].any()


def test_what_an_agent_is_given_lies_in_its_space(match: MatchEnv) -> None:
    for agent in match.agents:
        assert match.observation_space(agent).contains(match.observe(agent))
    assert match.action_space("seat_0") == Discrete(match.setting.actions)


def test_at_the_end_every_agent_has_its_reward_and_is_told_why(match: MatchEnv) -> None:
    play(match)
    assert all(match.terminations.values())
    assert sum(match.rewards.values()) == pytest.approx(0)
    assert {info["ending"] for info in match.infos.values()} == {"TURN_LIMIT"}
    assert match.infos["seat_0"].keys() == {"placing", "score", "ending"}
    for _ in range(3):
        match.step(None)
    assert match.agents == []


def test_the_same_seed_begins_the_same_match_and_none_goes_on_from_it(match: MatchEnv) -> None:
    digests = []
    for seed in (7, None, 7, None):
        match.reset(seed=seed)
        digests.append(match._state.digest())
    assert digests[:2] == digests[2:]
    assert digests[0] != digests[1]


def test_the_seed_of_a_suite_or_log_names_the_match(match: MatchEnv) -> None:
    match.reset(options={"match_seed": MATCH_SEED})
    assert match._state.digest() == match.setting.new_match(bytes.fromhex(MATCH_SEED)).digest()


@pytest.mark.parametrize("match_seed", ["5e", "x" * 64, 1])
def test_a_seed_that_is_none_is_refused(match: MatchEnv, match_seed: object) -> None:
    with pytest.raises(RefusedError):
        match.reset(options={"match_seed": match_seed})


def test_options_of_reset_that_it_does_not_have_are_ignored(match: MatchEnv) -> None:
    match.reset(seed=7, options={"speed": 1})
    digest = match._state.digest()
    match.reset(seed=7)
    assert match._state.digest() == digest


def test_an_illegal_place_is_refused_and_changes_nothing(match: MatchEnv) -> None:
    before = match._state.digest()
    for place in (match.setting.actions - 1, None):
        with pytest.raises(RefusedError):
            match.step(place)
    assert match._state.digest() == before
    assert match.agent_selection == "seat_0"


def test_an_agent_that_is_none_is_refused(match: MatchEnv) -> None:
    with pytest.raises(RefusedError):
        match.observe("seat_3")


def test_text_and_picture_are_rendered_on_demand() -> None:
    for mode in ("ansi", "svg"):
        environment = raw_env("caravan", render_mode=mode)
        environment.reset(seed=1)
        shown = environment.setting.text if mode == "ansi" else environment.setting.svg
        assert environment.render() == shown(environment._state, SPECTATOR)


def test_for_people_every_action_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    environment = raw_env("caravan", render_mode="human")
    environment.reset(seed=1)
    environment.step(0)
    assert environment.setting.text(environment._state, SPECTATOR) in capsys.readouterr().out


def test_a_render_mode_that_is_none_is_refused(match: MatchEnv) -> None:
    with pytest.raises(RefusedError):
        raw_env("caravan", render_mode="rgb_array")
    with pytest.raises(RefusedError):
        match.render()


def test_the_wrapped_environment_has_the_name_of_the_game_and_its_rules() -> None:
    assert env("caravanserai").metadata["name"] == "caravanserai_v1"
