"""What is seen of a position of Caravanserai, on the wire. Encodings of parts that come again are cached."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from arena.codecs.caravanserai_board import board_message, tiles_of
from arena.codecs.caravanserai_pieces import (
    caravan_messages,
    caravan_of,
    cell_messages,
    cells_of,
    colour_number,
    colour_of,
    piece_number,
    piece_of,
)
from arena.codecs.fragments import embedded
from arena.games.caravanserai.v1 import caravanserai_pb2
from engine.caravanserai.events import Ending
from engine.caravanserai.observation import Decision, Observation, Placement, SeatView
from engine.caravanserai.options import MAX_SEATS, Options
from engine.caravanserai.pieces import COLOUR_COUNT
from engine.caravanserai.tables import tables_for
from engine.caravanserai.tiles import LaidTile, shapes
from engine.game import SPECTATOR, UnreadableActionError

_SEATS_FIELD: Final = caravanserai_pb2.Observation.SEATS_FIELD_NUMBER


def observation_bytes(seen: Observation) -> bytes:
    """A serialised `Observation` of the game, its fields in ascending order."""
    turn = caravanserai_pb2.Observation(
        round=seen.round,
        trigger=seen.trigger,
        seat_to_act=seen.seat_to_act,
        decision=caravanserai_pb2.Decision.ValueType(seen.decision or 0),
        ending=caravanserai_pb2.Ending.ValueType(seen.ending or 0),
        market=seen.market,
        loose_goods=cell_messages(seen.loose),
    )
    rest = caravanserai_pb2.Observation(
        placement=None if seen.placement is None else _placement_message(seen.placement),
        steal_colour=caravanserai_pb2.COLOUR_UNSPECIFIED if seen.steal is None else colour_number(seen.steal),
        seeds_left=seen.seeds,
        viewer=None if seen.viewer == SPECTATOR else seen.viewer,
    )
    parts = [_setup_bytes(seen.first, seen.tiles, seen.options), turn.SerializeToString()]
    parts += [_seat_bytes(seat) for seat in seen.seats]
    return b"".join([*parts, rest.SerializeToString()])


def observation_of(wire: caravanserai_pb2.Observation) -> Observation:
    """The observation again. Raises UnreadableActionError for one that no position can be made of."""
    seen = Observation(
        options=Options(wire.options.expert),
        tiles=tiles_of(wire.board),
        first=wire.board.first_seat,
        round=wire.round,
        trigger=wire.trigger if wire.HasField("trigger") else None,
        seat_to_act=wire.seat_to_act if wire.HasField("seat_to_act") else None,
        decision=Decision(wire.decision) if wire.decision else None,
        ending=Ending(wire.ending) if wire.ending else None,
        market=_goods("market", wire.market),
        loose=cells_of(wire.loose_goods),
        seats=tuple(_seat_view(seat) for seat in wire.seats),
        placement=_placement(wire.placement) if wire.HasField("placement") else None,
        steal=colour_of("steal_colour", wire.steal_colour) if wire.steal_colour else None,
        seeds=wire.seeds_left,
        viewer=wire.viewer if wire.HasField("viewer") else SPECTATOR,
    )
    _check_board(seen)
    return seen


@lru_cache(maxsize=64)
def _setup_bytes(first: int, tiles: tuple[LaidTile, ...], options: Options) -> bytes:
    message = caravanserai_pb2.Observation(
        board=board_message(first, tiles), options=caravanserai_pb2.Options(expert=options.expert)
    )
    return message.SerializeToString()


@lru_cache(maxsize=8192)
def _seat_bytes(view: SeatView) -> bytes:
    message = caravanserai_pb2.Seat(
        camels=view.camels, goods=view.goods, caravan=caravan_messages(view.caravan)
    )
    return embedded(_SEATS_FIELD, message.SerializeToString())


def _seat_view(wire: caravanserai_pb2.Seat) -> SeatView:
    return SeatView(wire.camels, _goods("goods", wire.goods), caravan_of(wire.caravan))


def _placement_message(placement: Placement) -> caravanserai_pb2.Placement:
    return caravanserai_pb2.Placement(
        pieces=[piece_number(piece) for piece in placement.pieces],
        size=placement.size,
        direction=placement.direction,
        declined=placement.declined,
    )


def _placement(wire: caravanserai_pb2.Placement) -> Placement:
    return Placement(
        pieces=tuple(piece_of("placement.pieces", piece) for piece in wire.pieces),
        size=wire.size,
        direction=wire.direction if wire.HasField("direction") else None,
        declined=tuple(wire.declined),
    )


def _goods(field: str, wire: Iterable[int]) -> tuple[int, ...]:
    goods = tuple(wire)
    if len(goods) != COLOUR_COUNT:
        raise UnreadableActionError(
            f"The field {field} has {len(goods)} numbers: one for each colour is needed."
        )
    return goods


def _check_board(seen: Observation) -> None:
    """Raises UnreadableActionError unless there is a board for so many seats and all cells are on it."""
    seats = len(seen.seats)
    if not 1 <= seats <= MAX_SEATS or len(seen.tiles) != len(shapes()[seats].places):
        raise UnreadableActionError(
            f"The field board has {len(seen.tiles)} tiles: not those for {seats} seats."
        )
    on_board = tables_for(seats).numbers
    cells = [*seen.loose, *(piece.cell for seat in seen.seats for piece in seat.caravan)]
    for cell in cells:
        if cell not in on_board:
            raise UnreadableActionError(
                f"The observation has something on {cell}, which is not on the board."
            )
