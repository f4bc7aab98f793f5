"""C1 to C5: what a match begins with."""

import pytest

from engine.caravan import CARAVAN
from engine.caravan.goods import GOODS, Good, GoodsSet
from engine.caravan.options import Options
from engine.game import InvalidOptionsError
from tests.unit.engine.caravan.positions import a_match, view


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
