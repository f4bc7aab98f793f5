"""S1 and S8 to S13: how a match begins."""

from collections import Counter

import pytest

from engine.caravanserai import CARAVANSERAI
from engine.caravanserai.options import Options
from engine.caravanserai.tiles import TILE_COUNT, LaidTile
from tests.unit.engine.caravanserai.positions import a_match, view


def seed(number: int) -> bytes:
    return number.to_bytes(32, "big")


def missing(tiles: tuple[LaidTile, ...]) -> list[int]:
    """Return the tiles that are out of the match."""
    return sorted(set(range(TILE_COUNT)) - {tile.tile for tile in tiles})


def test_s1_one_to_six_seats_play_and_expert_may_be_set_for_all() -> None:
    for seats in range(1, 7):
        assert CARAVANSERAI.options(seats, {}) == Options(expert=False)
        assert CARAVANSERAI.options(seats, {"expert": "true"}) == Options(expert=True)


def test_s8_every_seat_begins_with_the_same_chance() -> None:
    matches = [a_match(4, seed=seed(number)) for number in range(400)]
    assert all(match.seat_to_act == view(match).first for match in matches)
    firsts = Counter(match.seat_to_act for match in matches)
    assert sorted(firsts) == [0, 1, 2, 3]
    assert min(firsts.values()) > 70  # expected are 100, with a standard deviation of 9


@pytest.mark.parametrize(
    ("seats", "counts"), [(6, []), (5, []), (4, [3]), (3, [1, 5]), (2, [1, 5, 5]), (1, [1, 5, 5])]
)
def test_s9_tiles_of_so_many_categories_stay_out(seats: int, counts: list[int]) -> None:
    """Each category may be among them, and with four seats each tile."""
    found = set()
    for number in range(150):
        out = missing(view(a_match(seats, seed=seed(number))).tiles)
        assert sorted(Counter(tile // 5 for tile in out).values()) == counts
        found |= set(out)
    assert len({tile // 5 for tile in found}) == (6 if counts else 0)
    assert seats != 4 or found == set(range(TILE_COUNT))


def test_s10_any_tile_may_lie_on_any_position() -> None:
    cores = {view(a_match(2, seed=seed(number))).tiles[0].tile for number in range(300)}
    assert cores == set(range(TILE_COUNT))


def test_s11_tiles_lie_in_all_six_rotations() -> None:
    matches = [a_match(6, seed=seed(number)) for number in range(20)]
    counts = Counter(tile.rotation for match in matches for tile in view(match).tiles)
    assert sorted(counts) == [0, 1, 2, 3, 4, 5]
    assert min(counts.values()) > 60  # expected are 100


@pytest.mark.parametrize(("seats", "goods"), [(1, 6), (2, 6), (3, 8), (4, 9), (5, 10), (6, 10)])
def test_s12_one_inn_of_each_intermediate_tile_has_a_loose_good(seats: int, goods: int) -> None:
    chosen = set()
    for number in range(20):
        match = a_match(seats, seed=seed(number))
        setup, loose = match.setup, set(view(match).loose)
        shape = setup.tables.shape
        assert len(loose) == goods == len(shape.intermediate)
        for position in range(len(shape.core), len(shape.core) + goods):
            has_good = [setup.tables.cells[cell] in loose for cell in setup.inns_on(position)]
            assert sorted(has_good) == [False, True]
            chosen.add(has_good.index(True))
    assert chosen == {0, 1}


@pytest.mark.parametrize(("expert", "shared"), [("false", 6), ("true", 7)])
def test_s13_the_market_has_the_other_shared_goods_and_every_seat_its_own(expert: str, shared: int) -> None:
    match = a_match(4, options={"expert": expert})
    seen = view(match)
    loose = [match.setup.inn_colour[match.setup.tables.numbers[cell]] for cell in seen.loose]
    assert seen.market == tuple(shared - loose.count(colour) for colour in range(5))
    assert [(seat.camels, seat.goods, seat.caravan) for seat in seen.seats] == [(8, (3,) * 5, ())] * 4
