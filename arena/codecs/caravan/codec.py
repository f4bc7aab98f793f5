"""Caravan on the wire.

Encodings of parts that come again are cached: an action, a seat that has not changed, the board. On the
wire a good's number is the engine's plus one, since 0 means that there is none.
"""

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any, Final

from arena.codecs.action_table import ActionTable, Field, packed
from arena.codecs.codec import Codec
from arena.codecs.event_table import EventTable
from arena.codecs.record import SAME, TUPLE, Convert, Record, one_of, several, tuple_of, wire_enum
from arena.codecs.serialized import embedded
from arena.codecs.validation import WireEnum
from arena.games.caravan.v1 import caravan_pb2
from engine.caravan import CARAVAN
from engine.caravan import actions as packing
from engine.caravan.board import Board
from engine.caravan.events import Delivered, EndArmed, Ended, Ending, Refill, TurnBegan
from engine.caravan.goods import GOODS, GoodsSet
from engine.caravan.observation import EmptyCamels, GoodsSpace, LadenCamel, Observation, SeatView
from engine.caravan.options import Options
from engine.caravan.state import CaravanState
from engine.game import SPECTATOR, Event, State, own

_GOOD: Final = WireEnum(GOODS, "a good")
_SEATS_FIELD: Final = caravan_pb2.Observation.SEATS_FIELD_NUMBER
_GOODS_SETS: Final = (GoodsSet.FULL, GoodsSet.SHORT)


def _turn_began(event: TurnBegan) -> str:
    points = "1 action point" if event.points == 1 else f"{event.points} action points"
    return f"Seat {event.seat} begins its turn with {points}."


def _refill(event: Refill) -> str:
    goods = ", ".join(f"{good.name.lower()} on {square}" for square, good in event.drawn)
    return f"Refill: {goods}; a demand marker on {', '.join(map(str, event.marked))}."


_SENTENCES: Final[dict[type[Event], Callable[[Any], str]]] = {
    TurnBegan: _turn_began,
    Refill: _refill,
    Delivered: lambda event: f"Seat {event.seat} delivers {event.good.name.lower()}.",
    EndArmed: lambda _event: "The bag is empty: the next delivery ends the match.",
    Ended: lambda event: f"The match ends: {event.ending.name}.",
}

_EVENTS: Final = EventTable(
    "Caravan",
    caravan_pb2.Event,
    _SENTENCES,
    {
        "good": wire_enum(_GOOD),
        "marked": TUPLE._replace(name="marked_squares"),
        "drawn": several(tuple_of(caravan_pb2.Drawn, square=SAME, good=wire_enum(_GOOD))),
        "ending": one_of(tuple(Ending)),
    },
    names={TurnBegan: "turn", Ended: "end"},
)


def _goods_set_text(number: int) -> str:
    """Return FULL or SHORT, empty if not set; another number as it is, which no option allows."""
    if number == caravan_pb2.GOODS_SET_UNSPECIFIED:
        return ""
    return _GOODS_SETS[number - 1].value if 1 <= number <= len(_GOODS_SETS) else str(number)


_BOARD: Final = Record(Board, caravan_pb2.Board, {"goods_spaces": TUPLE, "cities": TUPLE})
_OPTIONS: Final = Record(Options, caravan_pb2.Options, {"goods": one_of(_GOODS_SETS)})
"""Of a running match; the board is not looked up, since a bot need not have its file."""


def _laden_camel(field: str, wire: caravan_pb2.LadenCamel) -> LadenCamel:
    return LadenCamel(wire.square, _GOOD.member(f"{field}.good", wire.good), wire.is_protected)


_SEAT: Final = Record(
    SeatView,
    caravan_pb2.Seat,
    {
        "empty_camels": several(Convert(read=lambda _field, wire: EmptyCamels(wire.square, wire.count))),
        "laden_camels": several(Convert(read=_laden_camel)),
        "delivered": TUPLE,
    },
)
"""For reading."""

_SPACE: Final = Record(GoodsSpace, caravan_pb2.GoodsSpace, {"good": wire_enum(_GOOD)._replace(optional=True)})
_OBSERVATION: Final = Record(
    Observation,
    caravan_pb2.Observation,
    {
        "board": _BOARD.part(),
        "options": _OPTIONS.part(),
        "seats": several(_SEAT.part()),
        "goods_spaces": several(_SPACE.part()),
        "bag": TUPLE,
        "ending": one_of(tuple(Ending))._replace(optional=True),
        "viewer": Convert(optional=True, unset=SPECTATOR),
    },
)


@lru_cache(maxsize=64)
def _setup_bytes(board: Board, options: Options) -> bytes:
    return caravan_pb2.Observation(
        board=_BOARD.message_of(board), options=_OPTIONS.message_of(options)
    ).SerializeToString()


@lru_cache(maxsize=8192)
def _turn_bytes(turn: int, seat_to_act: int, points: int) -> bytes:
    return caravan_pb2.Observation(turn=turn, seat_to_act=seat_to_act, points=points).SerializeToString()


@lru_cache(maxsize=8192)
def _rest_bytes(idle: bool, idle_turns: int, end_armed: bool, viewer: int, ending: Ending | None) -> bytes:
    """Return the fields of the viewer and of how near the end is."""
    return caravan_pb2.Observation(
        idle=idle,
        idle_turns=idle_turns,
        end_armed=end_armed,
        viewer=None if viewer == SPECTATOR else viewer,
        ending=caravan_pb2.Ending.ValueType(ending or 0),
    ).SerializeToString()


@lru_cache(maxsize=8192)
def _goods_bytes(spaces: tuple[GoodsSpace, ...], bag: tuple[int, ...]) -> bytes:
    message = caravan_pb2.Observation(goods_spaces=map(_SPACE.message_of, spaces), bag=bag)
    return message.SerializeToString()


@lru_cache(maxsize=8192)
def _seat_bytes(view: SeatView) -> bytes:
    """Return the field of a seat, its own fields in ascending order. Most decisions bring one that is new."""
    parts = [
        _supply_bytes(view.supply),
        *map(_empty_bytes, view.empty_camels),
        *map(_laden_bytes, view.laden_camels),
        _beside_bytes(view.theft_markers, view.demand_markers, view.delivered, view.score),
    ]
    return embedded(_SEATS_FIELD, b"".join(parts))


@cache
def _supply_bytes(supply: int) -> bytes:
    return caravan_pb2.Seat(supply=supply).SerializeToString()


@lru_cache(maxsize=8192)
def _empty_bytes(camels: EmptyCamels) -> bytes:
    message = caravan_pb2.EmptyCamels(square=camels.square, count=camels.camels)
    return caravan_pb2.Seat(empty_camels=[message]).SerializeToString()


@lru_cache(maxsize=8192)
def _laden_bytes(camel: LadenCamel) -> bytes:
    message = caravan_pb2.LadenCamel(
        square=camel.square, good=_GOOD.value(camel.good), is_protected=camel.protected
    )
    return caravan_pb2.Seat(laden_camels=[message]).SerializeToString()


@lru_cache(maxsize=8192)
def _beside_bytes(theft_markers: int, demand_markers: int, delivered: tuple[int, ...], score: int) -> bytes:
    """Return the fields of what a seat has beside the board."""
    return caravan_pb2.Seat(
        theft_markers=theft_markers, demand_markers=demand_markers, delivered=delivered, score=score
    ).SerializeToString()


@lru_cache(maxsize=64)
def _actions(squares: int, seats: int) -> ActionTable:
    """Return the actions of matches with so many squares and seats, which answers are checked against."""
    square = Convert(read=lambda field, value: packing.check_square(field, value, squares))
    victim = Convert(read=lambda field, value: packing.check_victim(field, value, seats))
    good = Field("good", packing.good_of, wire_enum(_GOOD))
    return ActionTable(
        "Caravan",
        caravan_pb2.Action,
        packing.KIND_SHIFT,
        [
            packed("place", packing.place, Field("to_square", packing.to_of, square)),
            packed(
                "move",
                packing.move,
                Field("from_square", packing.at_of, square),
                Field("to_square", packing.to_of, square),
            ),
            packed("pick_up", packing.pick_up, Field("at_square", packing.at_of, square)),
            packed(
                "steal",
                packing.steal,
                Field("at_square", packing.at_of, square),
                Field("victim", packing.victim_of, victim),
                good,
            ),
            packed(
                "move_good",
                lambda origin, good, to, protected: packing.move_good(origin, good, to, protected=protected),
                Field("from_square", packing.at_of, square),
                good,
                Field("to_square", packing.to_of, square),
                Field("is_protected", packing.is_protected),
            ),
        ],
    )


_ACTIONS: Final = _actions(0, 0)
"""For writing, which checks nothing."""


class CaravanCodec(Codec):
    """Caravan's ints and dataclasses as messages, and back."""

    game = CARAVAN
    events = _EVENTS
    options = _OPTIONS
    observation = _OBSERVATION
    actions = _ACTIONS

    def options_of(self, wire: caravan_pb2.Options, seats: int) -> Options:
        """Return the options for so many seats; fields not set have their default. Raises InvalidOptionsError."""
        values = {
            "camels": str(wire.camels or ""),
            "goods": _goods_set_text(wire.goods),
            "board": wire.board,
            "no_progress_turns": str(wire.no_progress_turns or ""),
            "turn_limit": str(wire.turn_limit or ""),
        }
        return CARAVAN.options(seats, {name: value for name, value in values.items() if value})

    def observation_bytes(self, observation: object) -> bytes:
        """Return the message, serialised, its fields in ascending order."""
        seen = own(observation, Observation)
        parts = [
            _setup_bytes(seen.board, seen.options),
            _turn_bytes(seen.turn, seen.seat_to_act, seen.points),
            *map(_seat_bytes, seen.seats),
            _goods_bytes(seen.goods_spaces, seen.bag),
            _rest_bytes(seen.idle, seen.idle_turns, seen.end_armed, seen.viewer, seen.ending),
        ]
        return b"".join(parts)

    def actions_of(self, wire: caravan_pb2.Action, state: State) -> tuple[int, ...]:
        """Return one action. Raises UnreadableActionError, naming the wrong field."""
        setup = own(state, CaravanState).setup
        return (_actions(setup.tables.squares, setup.seats).action_of(wire),)


CODEC: Final = CaravanCodec()
