"""The options of C2 and C18, as text."""

import pytest

from engine.caravan import CARAVAN
from engine.caravan.goods import GoodsSet
from engine.caravan.options import Options
from engine.game import InvalidOptionsError
from tests.unit.engine.playing import check_words


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
    values = {"camels": "6", "goods": "full", "no_progress_turns": "7", "turn_limit": str(2**32 - 1)}
    assert CARAVAN.options(2, values) == Options(6, GoodsSet.FULL, "classic", 7, 2**32 - 1)


@pytest.mark.parametrize(
    ("name", "values", "words"),
    [
        ("camels", ("4", "7"), "camels 5 6"),
        ("goods", ("ALL",), "goods FULL SHORT"),
        ("turn_limit", ("0", "4294967296", "1e3"), "turn_limit turns 1"),
    ],
)
def test_what_is_not_allowed_is_refused_by_the_options_name(
    name: str, values: tuple[str, ...], words: str
) -> None:
    for value in values:
        with pytest.raises(InvalidOptionsError) as caught:
            CARAVAN.options(2, {name: value})
        check_words(str(caught.value), words)


@pytest.mark.parametrize(("turns", "plies"), [("1", 1), ("2", 3), ("4", 10), ("5", 14), ("1000", 3994)])
def test_no_match_has_more_plies_than_points(turns: str, plies: int) -> None:
    assert CARAVAN.max_plies(2, CARAVAN.options(2, {"turn_limit": turns})) == plies
