"""OpenSpiel's own tests, searches and ranking on our games."""

from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import ismcts, mcts
from open_spiel.python.egt import alpharank

from arena.research.openspiel import PREFIX, Resampler
from arena.research.setting import RefusedError
from engine.registry import GAMES

SHORT = {
    "caravan": "turn_limit:12",
    "caravanserai": "",
    "ahldarahd": "",
    "wasteland": "max_rounds:2",
}
"""By game: options for short matches."""


def load(game: str, **parameters: Any) -> Any:
    return pyspiel.load_game(f"{PREFIX}{game}", {"options": SHORT[game], **parameters})


def begun(game: Any, setup: int = 0) -> Any:
    """Return the state after the chance node."""
    state = game.new_initial_state()
    state.apply_action(setup)
    return state


def play(game: Any, bots: list[Any], dice: np.random.RandomState) -> list[float]:
    """Return the returns of a match."""
    state = begun(game, dice.randint(16))
    while not state.is_terminal():
        state.apply_action(bots[state.current_player()].step(state))
    returns: list[float] = state.returns()
    return returns


@pytest.mark.parametrize("game", GAMES)
def test_random_simulations_keep_every_promise_of_a_game(
    game: str, capfd: pytest.CaptureFixture[str]
) -> None:
    for players in (2, 3):
        pyspiel.random_sim_test(load(game, players=players), num_sims=2, serialize=True, verbose=False)


def test_parameters_may_be_written_behind_the_name() -> None:
    game = pyspiel.load_game(f"{PREFIX}caravan(players=3,options=turn_limit:6 camels:6,setups=4)")
    assert game.num_players() == 3
    assert len(game.new_initial_state().legal_actions()) == 4
    assert begun(game).match.setting.rules.option_values(begun(game).match.setting.options)["camels"] == "6"


@pytest.mark.parametrize("game", GAMES)
def test_a_player_sees_the_features_and_no_set_up(game: str) -> None:
    loaded = load(game)
    state = begun(loaded)
    setting = state.match.setting
    view = state.match.position.observe(1)
    assert state.observation_tensor(1) == setting.vector(view).tolist()
    assert loaded.observation_tensor_shape() == [setting.size]
    assert state.observation_string(1) == " ".join(map(str, setting.vector(view)))


@pytest.mark.parametrize("game", [game for game in GAMES if GAMES[game].spec.hidden_information])
def test_a_resampled_state_looks_the_same_to_its_player_and_differs_otherwise(game: str) -> None:
    state = begun(load(game))
    player = state.current_player()
    drawn = [Resampler(1)(state, player) for _ in range(2)] + [Resampler(2)(state, player)]
    assert {str(each) == str(drawn[0]) for each in drawn} == {True, False}
    for each in drawn:
        assert each.observation_string(player) == state.observation_string(player)
        assert each.legal_actions() == state.legal_actions()
        with pytest.raises(RefusedError):
            each.serialize()


def test_the_seed_and_the_set_up_decide_the_match() -> None:
    texts = [
        str(begun(load("caravan", seed=seed), setup)) for seed, setup in ((0, 0), (0, 0), (0, 1), (1, 0))
    ]
    assert texts[0] == texts[1]
    assert len(set(texts)) == 3


@pytest.mark.parametrize(
    "parameters",
    [{"players": 9}, {"options": "camels:7"}, {"options": "camels"}, {"setups": 0}, {"seed": -1}],
)
def test_parameters_that_there_are_not_are_refused(parameters: dict[str, Any]) -> None:
    with pytest.raises(RefusedError):
        load("caravan", **parameters)


def test_past_views_are_refused() -> None:
    with pytest.raises(RefusedError):
        load("caravan").make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))


def test_the_chance_node_is_refused_to_a_resampler() -> None:
    with pytest.raises(RefusedError):
        Resampler()(load("caravan").new_initial_state(), 0)


def search(game: Any, dice: np.random.RandomState, simulations: int) -> Any:
    """Return a bot of OpenSpiel."""
    evaluator = mcts.RandomRolloutEvaluator(1, dice)
    return mcts.MCTSBot(game, 1.4, simulations, evaluator, random_state=dice)


@pytest.mark.parametrize("game", GAMES)
def test_its_tree_search_plays_our_games(game: str) -> None:
    dice = np.random.RandomState(1)
    loaded = load(game)
    bot, state = search(loaded, dice, 4), begun(loaded)
    for _ in range(2):
        state.apply_action(bot.step(Resampler(1)(state, state.current_player())))
    assert len(state.history()) == 3


def test_its_search_of_information_sets_begins_at_resampled_states() -> None:
    dice = np.random.RandomState(1)
    game = load("wasteland")
    bot = ismcts.ISMCTSBot(
        game, mcts.RandomRolloutEvaluator(1, dice), 1.4, 10, random_state=dice, use_observation_string=True
    )
    bot.set_resampler(Resampler(1))
    state = begun(game)
    assert bot.step(state) in state.legal_actions()


class ByRule(pyspiel.Bot):  # type: ignore[misc] # comes without types
    """Plays the action in a part of the list."""

    def __init__(self, part: float) -> None:
        super().__init__()
        self.part = part

    def step(self, state: Any) -> int:
        return int(self.part * (len(state.legal_actions()) - 1))


def test_its_ranking_orders_policies_by_matches_of_ours() -> None:
    game, dice = load("caravan"), np.random.RandomState(1)
    bots = [ByRule(0.0), ByRule(0.5), ByRule(1.0)]
    payoffs = np.array([[play(game, [one, other], dice)[0] for other in bots] for one in bots])
    _, _, ranks, _, _ = alpharank.compute([payoffs, -payoffs.T], alpha=1.0)
    assert ranks.shape == (len(bots) ** 2,)
    assert ranks.sum() == pytest.approx(1)
