"""Between positions and observations."""

from __future__ import annotations

from engine.caravanserai.hexes import Cell
from engine.caravanserai.observation import CaravanPiece, Observation, Placement, SeatView
from engine.caravanserai.pieces import COLOURS, NO_COLOUR, PIECES
from engine.caravanserai.position import NEVER, Position
from engine.game import TERMINAL


def observe(position: Position, viewer: int) -> Observation:
    """The position as everybody sees it; seats that have not changed are the same objects as before."""
    setup = position.setup
    return Observation(
        options=setup.options,
        tiles=setup.tiles,
        first=setup.first,
        round=position.round,
        trigger=None if position.trigger == NEVER else position.trigger,
        seat_to_act=None if position.seat_to_act == TERMINAL else position.seat_to_act,
        decision=position.decision,
        ending=position.ending,
        market=tuple(position.market),
        loose=cells_of(position, position.loose),
        seats=tuple([_seat_view(position, seat) for seat in range(setup.seats)]),
        placement=_placement(position) if position.in_placement else None,
        steal=None if position.steal == NO_COLOUR else COLOURS[position.steal],
        seeds=position.seeds,
        viewer=viewer,
    )


def cells_of(position: Position, cells: int) -> tuple[Cell, ...]:
    """The cells of a set, ascending."""
    tables = position.setup.tables
    found: list[Cell] = []
    while cells:
        lowest = cells & -cells
        found.append(tables.cells[lowest.bit_length() - 1])
        cells ^= lowest
    return tuple(found)


def _seat_view(position: Position, seat: int) -> SeatView:
    view = position.seat_views[seat]
    if view is None:
        caravan = zip(position.cells[seat], position.pieces[seat], strict=True)
        cells = position.setup.tables.cells
        view = SeatView(
            camels=position.camels[seat],
            goods=tuple(position.goods_of(seat)),
            caravan=tuple([CaravanPiece(cells[cell], PIECES[piece]) for cell, piece in caravan]),
        )
        position.seat_views[seat] = view
    return view


def _placement(position: Position) -> Placement:
    return Placement(
        pieces=tuple([PIECES[piece] for piece in position.laid_pieces()]),
        size=position.size,
        direction=position.direction if position.laid else None,
        declined=tuple(position.declined),
    )
