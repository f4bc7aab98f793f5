"""The options of C2 and C18, as text."""

from __future__ import annotations

import pytest

from engine.caravan import CARAVAN
from engine.caravan.goods import GoodsSet
from engine.caravan.options import Options
from engine.game import InvalidOptionsError


@pytest.mark.parametrize(
    ("seats", "expected"),
    [
        (2, Options(5, GoodsSet.SHORT, "classic", 40, 1000)),
        (3, Options(5, GoodsSet.SHORT, "classic", 60, 1000)),
        (4, Options(5, GoodsSet.FULL, "classic", 80, 1000)),
    ],
)
def test_the_defaults_are_those_of_c2_and_c18(seats: int, expected: Options) -> None:
    assert CARAVAN.options(seats, {}) == expected


def test_all_options_can_be_given() -> None:
    values = {
        "camels": "6",
        "goods": "full",
        "board": "classic",
        "no_progress_turns": "7",
        "turn_limit": "4294967295",
    }
    assert CARAVAN.options(2, values) == Options(6, GoodsSet.FULL, "classic", 7, 2**32 - 1)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("camels", "4"),
        ("camels", "7"),
        ("camels", "five"),
        ("goods", "ALL"),
        ("no_progress_turns", "0"),
        ("no_progress_turns", "-1"),
        ("turn_limit", "0"),
        ("turn_limit", "4294967296"),
        ("turn_limit", "1e3"),
        ("turn_limit", "٣"),
        ("turn_limit", "9" * 5000),
    ],
)
def test_a_value_that_is_not_allowed_is_refused_by_the_options_name(name: str, value: str) -> None:
    with pytest.raises(InvalidOptionsError, match=f'"{name}"'):
        CARAVAN.options(2, {name: value})


def test_an_unknown_option_is_refused_with_the_list_of_options() -> None:
    with pytest.raises(InvalidOptionsError, match='no option "dice": its options are camels, goods'):
        CARAVAN.options(2, {"dice": "2"})


@pytest.mark.parametrize(("turns", "plies"), [("1", 1), ("2", 3), ("4", 10), ("5", 14), ("1000", 3994)])
def test_no_match_has_more_plies_than_points(turns: str, plies: int) -> None:
    assert CARAVAN.max_plies(2, CARAVAN.options(2, {"turn_limit": turns})) == plies


def test_options_of_another_game_are_refused() -> None:
    with pytest.raises(TypeError, match=r"engine\.caravan\.options\.Options is needed"):
        CARAVAN.max_plies(2, {"camels": 5})
