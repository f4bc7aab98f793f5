"""S2 to S7: colours, directions, cells, tiles and what lies on them."""

import pytest

from engine.caravanserai.hexes import OFFSETS, Cell, centre, moved, turned
from engine.caravanserai.pieces import CAMEL, COLOUR_COUNT, COLOURS, LYING, Piece
from engine.caravanserai.position import WAYS
from engine.caravanserai.tables import WIDEST_DISC, tables_for
from engine.caravanserai.tiles import TILE_COUNT, inn_offsets, shapes, tile_name
from tests.unit.engine.caravanserai.positions import OUT_OF_THE_WAY, a_position, view
from tests.unit.engine.pages import rows
from tests.unit.engine.playing import may, play

CORES = {2: "(0,0)", 3: "(0,0) (1,0)", 4: "(0,0) (1,0) (0,1)", 5: "(0,0) (1,0) (0,1) (1,1)"}


def ring(cells: set[Cell]) -> set[Cell]:
    """Return the neighbours of the cells that are none of them."""
    return {moved(cell, offset) for cell in cells for offset in OFFSETS} - cells


def test_s2_the_order_of_colours_is_white_black_purple_red_yellow() -> None:
    assert [colour.name for colour in COLOURS] == ["WHITE", "BLACK", "PURPLE", "RED", "YELLOW"]


def test_s2_the_numbers_that_are_written_out_are_those_of_colours_and_pieces() -> None:
    assert (len(COLOURS), Piece.LYING, Piece.CAMEL) == (COLOUR_COUNT, LYING, CAMEL)


def test_s3_a_step_in_a_direction_adds_its_offset() -> None:
    tables = tables_for(2)
    middle = tables.numbers[Cell(0, 0)]
    beside = [tables.cells[tables.beside[WAYS * middle + direction]] for direction in range(6)]
    assert beside == [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]


@pytest.mark.parametrize("steps", range(WIDEST_DISC + 2))
def test_s3_a_disc_has_the_cells_that_so_many_steps_lead_to_and_the_widest_one_has_all(steps: int) -> None:
    tables = tables_for(3)
    cell = tables.numbers[Cell(-2, 1)]
    found = {tables.cells[cell]}
    for _ in range(steps):
        found |= ring(found) & set(tables.cells)
    if steps > WIDEST_DISC:
        found = set(tables.cells)
    disc = tables.disc(cell, steps)
    assert {other for other, bit in zip(tables.cells, tables.bits, strict=False) if bit & disc} == found
    assert tables.disc(cell, steps + WIDEST_DISC + 1) == tables.bits[tables.off] - 1


def test_s4_cells_are_in_the_order_of_q_and_then_r() -> None:
    cells = tables_for(5).cells
    assert list(cells) == sorted(cells, key=lambda cell: (cell.q, cell.r))


def test_s5_tiles_go_by_category_and_then_by_colour() -> None:
    names = [tile_name(tile) for tile in range(TILE_COUNT)]
    assert names[:6] == ["A-W", "A-K", "A-P", "A-R", "A-Y", "B-W"]
    assert names[-1] == "F-Y"
    assert len(names) == 30


@pytest.mark.parametrize("seats", CORES)
def test_s5_around_the_core_lie_two_complete_rings(seats: int) -> None:
    shape = shapes()[seats]
    core = set(shape.core)
    assert " ".join(map(str, shape.core)) == CORES[seats]
    assert set(shape.intermediate) == ring(core)
    assert set(shape.outer) == ring(core | ring(core))
    for cells in shape[1:]:
        assert len(set(cells)) == len(cells)
        assert list(cells) == sorted(cells)


def test_s6_the_boards_have_seven_cells_for_each_tile_and_the_longest_lines_of_the_page() -> None:
    found = []
    for seats in (2, 3, 4, 5):
        tables = tables_for(seats)
        rings = [len(ring) for ring in tables.shape]
        assert len(tables.cells) == 7 * sum(rings)
        # a ray has the empty set, the cells behind its first one, and what is off the board
        found.append([sum(rings), *rings, len(tables.cells), max(map(len, tables.rays)) - 1])
    assert found == [[int(cell) for cell in row[1:]] for row in rows("caravanserai", "| seats | tiles")]
    assert (tables_for(1).shape, tables_for(6).shape) == (tables_for(2).shape, tables_for(5).shape)


def test_s6_tiles_beside_each_other_share_three_borders() -> None:
    def covered(place: Cell) -> set[Cell]:
        return {moved(centre(place), offset) for offset in (Cell(0, 0), *OFFSETS)}

    for offset in OFFSETS:
        one, other = covered(Cell(0, 0)), covered(offset)
        assert not one & other
        assert sum(moved(cell, step) in other for cell in one for step in OFFSETS) == 3


def test_s6_the_categories_have_the_four_layouts_of_two_cells() -> None:
    def distance(one: Cell, other: Cell) -> int:
        q, r = one.q - other.q, one.r - other.r
        return max(abs(q), abs(r), abs(q + r))

    layouts = [(Cell(0, 0) in pair, distance(*pair)) for pair in inn_offsets()]
    with_centre, side_by_side, with_a_gap = (True, 1), (False, 1), (False, 2)
    assert layouts == [with_centre, side_by_side, with_a_gap, with_a_gap, with_centre, with_a_gap]
    opposite = [turned(a, 3) == b for a, b in inn_offsets()]
    assert opposite.index(True) == "ABCDEF".index("D")
    assert sum(opposite) == 1


def test_s6_a_turned_tile_has_its_inns_turned_about_its_centre() -> None:
    assert [turned(Cell(1, 0), times) for times in range(7)] == [*OFFSETS, Cell(1, 0)]
    state = a_position("-4,0c", tiles={(0, 0): "A-P/2", (1, 0): "D-R/1"})
    tables = state.setup.tables
    inns = {
        str(tables.cells[cell]): "WKPRY"[colour]
        for cell, colour in enumerate(state.setup.inn_colour)
        if colour > 0
    }
    # the tile (1,0) has its centre on (2,1)
    assert inns == {"(0,0)": "P", "(-1,1)": "P", "(2,2)": "R", "(2,0)": "R"}


def test_s7_a_loose_good_does_not_make_its_cell_occupied_but_not_free_either() -> None:
    state = a_position("-1,0c", OUT_OF_THE_WAY, loose="0,0", camels=(8, 7))
    assert may(state, "CAMEL(0)")
    play(state, "CAMEL(3)")
    assert not may(state, "SEED(W,0,0)")
    assert may(state, "SEED(W,1,0)")


def test_s7_a_reserve_is_all_that_is_not_in_the_caravan() -> None:
    state = a_position("-4,0c -3,0P", OUT_OF_THE_WAY, goods="PP")
    play(state, "CAMEL(0)", "SEED(W,0,0)")
    seat = view(state).seats[0]
    assert (seat.camels, seat.goods) == (7, (0, 0, 2, 0, 0))
    assert len(seat.caravan) == 2
