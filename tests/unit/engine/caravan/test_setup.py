"""C1 to C5: what a match begins with, and the options of C2 and C18 as text."""

import pytest

from engine.caravan import CARAVAN
from engine.caravan.goods import GOODS, Good, GoodsSet
from engine.caravan.options import Options
from engine.game import InvalidOptionsError
from tests.unit.engine.caravan.positions import a_match, view
from tests.unit.engine.playing import check_words


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_c1_seat_0_starts(seats: int) -> None:
    match = a_match(seats)
    assert match.seat_to_act == 0
    assert len(view(match).seats) == seats


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_c1_other_numbers_of_seats_are_refused(seats: int) -> None:
    with pytest.raises(InvalidOptionsError, match=f"2 to 4 seats, not {seats}"):
        CARAVAN.new_match(seats, Options(5, GoodsSet.FULL, "classic", 40, 1000), bytes(32))


@pytest.mark.parametrize(("goods", "common", "rare"), [("FULL", 9, 3), ("SHORT", 6, 2)])
@pytest.mark.parametrize("seats", [2, 4])
def test_c2_a_set_of_goods_has_so_many_of_each_kind(goods: str, common: int, rare: int, seats: int) -> None:
    seen = view(a_match(seats, options={"goods": goods}))
    counts = list(seen.bag)
    for space in seen.goods_spaces:
        assert space.good is not None
        counts[space.good] += 1
    assert counts == [common] * 4 + [rare] * 4


@pytest.mark.parametrize("camels", [5, 6])
def test_c3_every_seat_has_its_camels_in_the_supply_and_one_theft_marker(camels: int) -> None:
    for seat in view(a_match(3, options={"camels": str(camels)})).seats:
        assert seat == (camels, (), (), 1, 0, (0,) * len(GOODS), 0)


@pytest.mark.parametrize(
    ("goods", "first"),
    [
        ("SHORT", "swords salt paper meat gems hides swords salt"),
        ("FULL", "swords paper salt ivory swords hides meat gems"),
    ],
)
def test_c4_the_bag_of_the_zero_seed_begins_as_the_vectors_say(goods: str, first: str) -> None:
    spaces = view(a_match(options={"goods": goods})).goods_spaces
    assert [space.good for space in spaces] == [Good[name.upper()] for name in first.split()]


def test_c4_c5_the_order_of_goods_and_the_first_demand_markers_are_those_of_the_rules() -> None:
    names = "meat swords salt hides ivory cloth gems paper"
    assert [good.name.lower() for good in GOODS] == names.split()
    spaces = view(a_match()).goods_spaces
    assert [space.demand_markers for space in spaces] == [1, 1, 0, 0, 0, 0, 1, 1]


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
