"""Positions as a seat is given them, actions by place, rewards; and what is refused."""

from dataclasses import dataclass

import numpy as np
import pytest

from arena.research.setting import RefusedError, Setting
from engine.ahldarahd.position import ASK_OPENING
from engine.ahldarahd.state import AhldarahdState
from engine.game import TERMINAL, Outcome, State, own

SEED = bytes(range(32))


@pytest.fixture
def setting() -> Setting:
    return Setting("caravan", 2)


@pytest.fixture
def state(setting: Setting) -> State:
    return setting.new_match(SEED)


def test_the_seat_that_decides_is_given_its_legal_actions(setting: Setting, state: State) -> None:
    given = setting.observe(state, state.seat_to_act)
    legal = len(state.legal_actions())
    assert given["action_mask"].tolist() == [1] * legal + [0] * (setting.actions - legal)
    assert (given["actions"][:legal, 0] >= 0).all()


def test_other_seats_are_given_none(setting: Setting, state: State) -> None:
    given = setting.observe(state, 1 - state.seat_to_act)
    assert not given["action_mask"].any()
    assert (given["actions"] == -1).all()


def test_a_place_is_that_of_the_ascending_list(setting: Setting, state: State) -> None:
    listed = list(state.legal_actions())
    places = range(setting.legal_count(state))
    assert [setting.action_at(state, place) for place in places] == listed
    assert setting.action_at(state, np.int64(3)) == listed[3]


def test_columns_are_the_fields_of_the_notation(setting: Setting, state: State) -> None:
    """C22: PASS, then PLACE(to) by the target."""
    table = setting.table(state)
    assert setting.columns == ("kind", "to", "at", "victim", "good", "protected")
    assert table[0].tolist() == [0, -1, -1, -1, -1, -1]
    assert table[1:4].tolist() == [[1, to, -1, -1, -1, -1] for to in range(3)]


@pytest.mark.parametrize("place", [-1, 10_000, 1.0, None, "0"])
def test_a_place_that_no_action_has_is_refused_and_changes_nothing(
    setting: Setting, state: State, place: object
) -> None:
    before = state.digest()
    with pytest.raises(RefusedError):
        setting.action_at(state, place)  # type: ignore[arg-type]
    assert state.digest() == before


@pytest.mark.parametrize(
    ("game", "seats", "options", "named"),
    [
        ("chess", None, {}, "chess"),
        ("caravan", 9, {}, "9"),
        ("caravan", 2, {"speed": "1"}, "speed"),
        ("caravan", 2, {"camels": "7"}, "camels"),
        ("caravan", 2, {"camels": 6}, "camels"),
        ("ahldarahd", 5, {"neutral_board": "true"}, "neutral_board"),
    ],
)
def test_what_a_game_does_not_have_is_refused_by_name(
    game: str, seats: int | None, options: dict[str, str], named: str
) -> None:
    with pytest.raises(RefusedError, match=named):
        Setting(game, seats, options)


def test_a_game_without_a_feature_list_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.research.setting.features_for", _without_features)
    with pytest.raises(RefusedError, match="feature list"):
        Setting("caravan")


def _without_features(game: str) -> None:
    raise KeyError(game)


def test_of_a_list_that_is_too_long_the_last_actions_cannot_be_given() -> None:
    """A12: bids have no bound."""
    setting = Setting("ahldarahd", 2)
    state = own(setting.new_match(SEED), AhldarahdState)
    while state.decision != ASK_OPENING:
        state.apply(state.default_action())
    rich = state.clone()
    rich.gold = [200, 200]
    rich.legal = None
    assert len(rich.legal_actions()) > setting.actions
    given = setting.observe(rich, rich.seat_to_act)
    assert given["action_mask"].all()
    assert (given["actions"][:, 0] >= 0).all()
    with pytest.raises(RefusedError):
        setting.action_at(rich, setting.actions)


@dataclass
class Placed:
    """Placings by seat, and the rewards for them."""

    placings: tuple[int, ...]
    rewards: list[float]


@pytest.mark.parametrize(
    "placed",
    [
        Placed((1, 2), [1, -1]),
        Placed((1, 1), [0, 0]),
        Placed((3, 1, 2), [-1, 1, 0]),
        Placed((1, 1, 3), [0.5, 0.5, -1]),
        Placed((2, 1, 2, 4), [0, 1, 0, -1]),
    ],
)
def test_rewards_are_shares_of_seats_beaten_and_sum_to_nothing(placed: Placed) -> None:
    game = "ahldarahd"
    outcome = Outcome((0,) * len(placed.placings), placed.placings, "DECK_EMPTY")
    rewards = Setting(game, len(placed.placings)).rewards(outcome)
    assert rewards == pytest.approx(placed.rewards)
    assert sum(rewards) == pytest.approx(0)


def test_with_one_seat_the_reward_is_the_score() -> None:
    assert Setting("caravanserai", 1).rewards(Outcome((37,), (1,), "MARKET")) == [37.0]


def test_the_most_seats_are_the_default() -> None:
    assert Setting("caravanserai").seats == 6


def test_nobody_decides_when_all_is_over() -> None:
    setting = Setting("caravan", 2, {"turn_limit": "1"})
    state = setting.new_match(SEED)
    while state.seat_to_act != TERMINAL:
        state.apply(state.default_action())
    assert setting.legal_count(state) == 0
    assert not setting.observe(state, 0)["action_mask"].any()


def test_text_and_picture_show_what_the_viewer_sees() -> None:
    """A51: hands of others are hidden."""
    setting = Setting("ahldarahd", 2)
    state = setting.new_match(SEED)
    assert setting.text(state, 0) != setting.text(state, 1)
    assert setting.svg(state, 0) != setting.svg(state, 1)
    assert setting.svg(state, 0).startswith("<svg")
