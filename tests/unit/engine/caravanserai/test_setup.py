"""S1 and S8 to S15: how a match begins, the opening and the first round."""

from collections import Counter

import pytest

from engine.caravanserai import CARAVANSERAI
from engine.caravanserai.actions import cell_of, open_cell
from engine.caravanserai.hexes import OFFSETS, Cell, centre, moved
from engine.caravanserai.observation import Decision
from engine.caravanserai.options import Options
from engine.caravanserai.state import CaravanseraiState
from engine.caravanserai.tiles import TILE_COUNT, LaidTile
from tests.unit.engine.caravanserai.naive import board_of
from tests.unit.engine.caravanserai.positions import a_match, in_round_one, view
from tests.unit.engine.playing import legal, play, refused


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


def opening_cells(state: CaravanseraiState) -> list[Cell]:
    """Return the cells of the legal list."""
    return [cell_of(action) for action in state.legal_actions()]


def test_s14_the_inns_of_the_outer_tiles_are_asked_for() -> None:
    match = a_match(2)
    middles = [centre(place) for place in match.setup.tables.shape.outer]
    outer = {moved(middle, offset) for middle in middles for offset in (*OFFSETS, Cell(0, 0))}
    assert view(match).decision is Decision.OPEN_CELL
    inns = {cell for cell, colour in board_of(view(match)).items() if colour}
    assert opening_cells(match) == sorted(inns & outer)
    assert len(opening_cells(match)) == 2 * 12


def test_s14_the_camel_is_the_caravan_and_brings_a_good_of_the_cell() -> None:
    match = a_match(2)
    cell = opening_cells(match)[0]
    colour = "WKPRY".index(board_of(view(match))[cell])
    market = view(match).market[colour]
    match.apply(open_cell(cell))
    seat = view(match).seats[0]
    assert [piece.cell for piece in seat.caravan] == [cell]
    assert (seat.camels, seat.goods[colour], sum(seat.goods)) == (7, 4, 16)
    assert view(match).market[colour] == market - 1


def test_s14_a_cell_is_taken_once_but_the_other_cell_of_its_tile_is_open() -> None:
    match = a_match(2)
    before = legal(match)
    play(match, before[0])
    assert legal(match) == before[1:]
    refused(match, before[0], "S14 camel")
    for cell in ("0,0", "15,15"):
        refused(match, f"OPEN({cell})", "S14 no inn outer")


def test_s14_s15_the_seats_open_and_then_have_their_turns_in_turn_order() -> None:
    match, turns = a_match(5), []
    while match.round < 3:
        if match.round == 0 or (match.decision is Decision.STEP and match.laid == 0):
            turns.append((match.round, match.seat_to_act))
        match.apply(match.default_action())
    assert turns == [(number, seat) for number in (0, 1, 2) for seat in (3, 4, 0, 1, 2)]


@pytest.mark.parametrize("seats", [1, 2, 6])
def test_s15_round_one_follows_the_opening_and_begins_with_the_first_seat(seats: int) -> None:
    match = in_round_one(seats)
    assert (match.round, match.seat_to_act) == (1, view(match).first)
    assert view(match).decision is Decision.STEP
