"""S14 and S15: the opening and the first round."""

import pytest

from engine.caravanserai.actions import cell_of, open_cell
from engine.caravanserai.hexes import OFFSETS, Cell, centre, moved
from engine.caravanserai.observation import Decision
from engine.caravanserai.state import CaravanseraiState
from tests.unit.engine.caravanserai.naive import board_of
from tests.unit.engine.caravanserai.positions import a_match, in_round_one, view
from tests.unit.engine.playing import legal, play, refused


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
