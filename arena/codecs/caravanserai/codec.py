"""Caravanserai on the wire. Encodings of repeated parts of observations are cached."""

from functools import lru_cache
from typing import Final

from arena.codecs.caravanserai.actions import ACTIONS, answered
from arena.codecs.caravanserai.events import EVENTS
from arena.codecs.caravanserai.pieces import CARAVAN, CELLS, COLOUR, PIECE, board_message, tiles_of
from arena.codecs.codec import Codec
from arena.codecs.record import OPTIONAL, TUPLE, Convert, Record, just, one_of, several, wire_enum
from arena.codecs.serialized import embedded
from arena.games.caravanserai.v1 import caravanserai_pb2
from engine import option_names
from engine.caravanserai import CARAVANSERAI
from engine.caravanserai.events import Ending
from engine.caravanserai.hexes import Cell
from engine.caravanserai.observation import CaravanPiece, Decision, Observation, Placement, SeatView
from engine.caravanserai.options import MAX_SEATS, Options
from engine.caravanserai.pieces import COLOUR_COUNT, PIECES
from engine.caravanserai.state import CaravanseraiState
from engine.caravanserai.tables import tables_for
from engine.caravanserai.tiles import LaidTile, shapes
from engine.game import SPECTATOR, State, UnreadableActionError, own

_SEATS_FIELD: Final = caravanserai_pb2.Observation.SEATS_FIELD_NUMBER
_PLACEMENT_FIELD: Final = caravanserai_pb2.Observation.PLACEMENT_FIELD_NUMBER


_OPTIONS: Final = Record(Options, caravanserai_pb2.Options, {})
_COLOURS: Final = just(COLOUR_COUNT)

_PLACEMENT: Final = Record(
    Placement,
    caravanserai_pb2.Placement,
    {"pieces": several(wire_enum(PIECE)), "direction": OPTIONAL, "declined": TUPLE},
)

_SEAT: Final = Record(
    SeatView,
    caravanserai_pb2.Seat,
    {"goods": _COLOURS, "caravan": CARAVAN},
)

_OBSERVATION: Final = Record(
    Observation,
    caravanserai_pb2.Observation,
    {
        "options": _OPTIONS.part(),
        "tiles": Convert(read=lambda _field, board: tiles_of(board), name="board"),
        "first": Convert(read=lambda _field, board: board.first_seat, name="board"),
        "trigger": OPTIONAL,
        "seat_to_act": OPTIONAL,
        "decision": one_of(tuple(Decision))._replace(optional=True),
        "ending": one_of(tuple(Ending))._replace(optional=True),
        "market": _COLOURS,
        "loose": CELLS._replace(name="loose_goods"),
        "seats": several(Convert(read=lambda _field, seat: _SEAT.value_of(seat))),
        "placement": _PLACEMENT.part()._replace(optional=True),
        "steal": wire_enum(COLOUR)._replace(name="steal_colour", optional=True),
        "seeds": Convert(name="seeds_left"),
        "viewer": Convert(optional=True, unset=SPECTATOR),
    },
)


@lru_cache(maxsize=64)
def _setup_bytes(first: int, tiles: tuple[LaidTile, ...], options: Options) -> bytes:
    message = caravanserai_pb2.Observation(
        board=board_message(first, tiles), options=_OPTIONS.message_of(options)
    )
    return message.SerializeToString()


@lru_cache(maxsize=1024)
def _turn_bytes(
    round_: int, trigger: int | None, seat_to_act: int | None, decision: int, ending: int
) -> bytes:
    return caravanserai_pb2.Observation(
        round=round_,
        trigger=trigger,
        seat_to_act=seat_to_act,
        decision=caravanserai_pb2.Decision.ValueType(decision),
        ending=caravanserai_pb2.Ending.ValueType(ending),
    ).SerializeToString()


@lru_cache(maxsize=8192)
def _rest_bytes(steal: int | None, seeds: int, viewer: int) -> bytes:
    return caravanserai_pb2.Observation(
        steal_colour=caravanserai_pb2.COLOUR_UNSPECIFIED if steal is None else COLOUR.value(steal),
        seeds_left=seeds,
        viewer=None if viewer == SPECTATOR else viewer,
    ).SerializeToString()


@lru_cache(maxsize=8192)
def _market_bytes(market: tuple[int, ...]) -> bytes:
    return caravanserai_pb2.Observation(market=market).SerializeToString()


@lru_cache(maxsize=1024)
def _loose_bytes(cell: Cell) -> bytes:
    return caravanserai_pb2.Observation(loose_goods=CELLS.write((cell,))).SerializeToString()


@lru_cache(maxsize=8192)
def _seat_bytes(view: SeatView) -> bytes:
    parts = [_reserve_bytes(view.camels, view.goods)]
    parts += [_pieces_bytes(cell)[piece] for cell, piece in view.caravan]
    return embedded(_SEATS_FIELD, b"".join(parts))


@lru_cache(maxsize=8192)
def _reserve_bytes(camels: int, goods: tuple[int, ...]) -> bytes:
    return caravanserai_pb2.Seat(camels=camels, goods=goods).SerializeToString()


@lru_cache(maxsize=1024)
def _pieces_bytes(cell: Cell) -> tuple[bytes, ...]:
    """Return by piece a `Seat` that has nothing but it, on this cell."""
    return tuple(
        caravanserai_pb2.Seat(caravan=CARAVAN.write((CaravanPiece(cell, piece),))).SerializeToString()
        for piece in PIECES
    )


@lru_cache(maxsize=8192)
def _placement_bytes(pieces: bytes, size: int, direction: int | None, declined: tuple[int, ...]) -> bytes:
    """Return a placement. `pieces`: by their numbers on the wire."""
    message = caravanserai_pb2.Placement(
        pieces=[caravanserai_pb2.Piece.ValueType(piece) for piece in pieces],
        size=size,
        direction=direction,
        declined=declined,
    )
    return embedded(_PLACEMENT_FIELD, message.SerializeToString())


def _check_board(seen: Observation) -> None:
    """Raise UnreadableActionError unless there is a board for so many seats and all cells are on it."""
    seats = len(seen.seats)
    if not 1 <= seats <= MAX_SEATS or len(seen.tiles) != len(shapes()[seats].places):
        raise UnreadableActionError(
            f"The field board has {len(seen.tiles)} tiles: not those for {seats} seats."
        )
    on_board = tables_for(seats).numbers
    for cell in (*seen.loose, *(piece.cell for seat in seen.seats for piece in seat.caravan)):
        if cell not in on_board:
            raise UnreadableActionError(f"The observation has something on {cell}: it is not on the board.")


class CaravanseraiCodec(Codec):
    """Caravanserai's ints and dataclasses as messages, and back."""

    game = CARAVANSERAI
    events = EVENTS
    options = _OPTIONS
    actions = ACTIONS

    def options_of(self, wire: caravanserai_pb2.Options, seats: int) -> Options:
        """Return the options for so many seats. Raises InvalidOptionsError."""
        option_names.check(CARAVANSERAI.spec, seats)
        return Options(wire.expert)

    def observation_bytes(self, observation: object) -> bytes:
        """Return the message, serialised, its fields in ascending order."""
        seen = own(observation, Observation)
        placement = seen.placement
        parts = [
            _setup_bytes(seen.first, seen.tiles, seen.options),
            _turn_bytes(seen.round, seen.trigger, seen.seat_to_act, seen.decision or 0, seen.ending or 0),
            _market_bytes(seen.market),
        ]
        parts += [_loose_bytes(cell) for cell in seen.loose]
        parts += [_seat_bytes(seat) for seat in seen.seats]
        if placement is not None:
            pieces = bytes([piece + 1 for piece in placement.pieces])
            parts.append(_placement_bytes(pieces, placement.size, placement.direction, placement.declined))
        parts.append(_rest_bytes(seen.steal, seen.seeds, seen.viewer))
        return b"".join(parts)

    def observation_of(self, wire: caravanserai_pb2.Observation) -> Observation:
        """Return the observation. Raises UnreadableActionError for one that fits no position."""
        seen = _OBSERVATION.value_of(wire)
        _check_board(seen)
        return seen

    def actions_of(self, wire: caravanserai_pb2.Action, state: State) -> tuple[int, ...]:
        """Return one action, or the steps of a plan. Raises UnreadableActionError, naming the wrong field."""
        return answered(wire, own(state, CaravanseraiState))


CODEC: Final = CaravanseraiCodec()
