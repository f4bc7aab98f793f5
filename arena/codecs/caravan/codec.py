"""Caravan on the wire.

Encodings of parts that come again are cached: an action, a seat that has not changed, the board. On the
wire a good's number is the engine's plus one, since 0 means that there is none.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, assert_never

from arena.codecs.codec import Codec
from arena.codecs.event_table import TUPLE, Convert, EventTable, one_of, wire_enum
from arena.codecs.serialized import embedded
from arena.codecs.validation import WireEnum, no_kind
from arena.games.caravan.v1 import caravan_pb2
from arena.v1 import games_pb2
from engine.caravan import CARAVAN
from engine.caravan import actions as packing
from engine.caravan.board import Board
from engine.caravan.events import Delivered, EndArmed, Ended, Ending, Refill, TurnBegan
from engine.caravan.goods import GOODS, GoodsSet
from engine.caravan.observation import EmptyCamels, GoodsSpace, LadenCamel, Observation, SeatView
from engine.caravan.options import Options
from engine.caravan.state import CaravanState
from engine.game import SPECTATOR, Event, State, own

_GOODS_SETS: Final = {
    GoodsSet.FULL: caravan_pb2.GOODS_SET_FULL,
    GoodsSet.SHORT: caravan_pb2.GOODS_SET_SHORT,
}
_SEATS_FIELD: Final = caravan_pb2.Observation.SEATS_FIELD_NUMBER


_GOOD: Final = WireEnum(GOODS, "a good")


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
        "drawn": Convert(
            lambda drawn: [caravan_pb2.Drawn(square=at, good=_GOOD.value(good)) for at, good in drawn],
            lambda _field, drawn: tuple(
                [(each.square, _GOOD.member("drawn.good", each.good)) for each in drawn]
            ),
        ),
        "ending": one_of(tuple(Ending)),
    },
    names={TurnBegan: "turn", Ended: "end"},
)


class CaravanCodec(Codec):
    """Caravan's ints and dataclasses as messages, and back."""

    game = CARAVAN
    events = _EVENTS

    def options_message(self, options: object) -> caravan_pb2.Options:
        """Return all options, set."""
        return _options_message(own(options, Options))

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

    def observation_of(self, wire: caravan_pb2.Observation) -> Observation:
        """Return the observation. Raises UnreadableActionError, naming the wrong field."""
        return Observation(
            board=Board(
                wire.board.name,
                wire.board.rows,
                wire.board.columns,
                tuple(wire.board.goods_spaces),
                tuple(wire.board.cities),
            ),
            options=_options(wire.options),
            turn=wire.turn,
            seat_to_act=wire.seat_to_act,
            points=wire.points,
            seats=tuple(_seat_view(seat) for seat in wire.seats),
            goods_spaces=tuple(
                GoodsSpace(_GOOD.member("good", space.good) if space.good else None, space.demand_markers)
                for space in wire.goods_spaces
            ),
            bag=tuple(wire.bag),
            idle=wire.idle,
            idle_turns=wire.idle_turns,
            end_armed=wire.end_armed,
            ending=Ending(wire.ending) if wire.ending else None,
            viewer=wire.viewer if wire.HasField("viewer") else SPECTATOR,
        )

    def encode_action(self, action: int) -> bytes:
        """Return a serialised `arena.v1.Action`."""
        return _action_bytes(action)

    def actions_of(self, wire: caravan_pb2.Action, state: State) -> tuple[int, ...]:
        """Return one action. Raises UnreadableActionError, naming the wrong field."""
        setup = own(state, CaravanState).setup
        return (_action(wire, setup.tables.squares, setup.seats),)


CODEC: Final = CaravanCodec()


def _options_message(options: Options) -> caravan_pb2.Options:
    return caravan_pb2.Options(
        camels=options.camels,
        goods=_GOODS_SETS[options.goods],
        board=options.board,
        no_progress_turns=options.no_progress_turns,
        turn_limit=options.turn_limit,
    )


def _options(wire: caravan_pb2.Options) -> Options:
    """Return the options of a running match; the board is not looked up, since a bot need not have its file."""
    return Options(
        camels=wire.camels,
        goods=GoodsSet(_goods_set_text(wire.goods)),
        board=wire.board,
        no_progress_turns=wire.no_progress_turns,
        turn_limit=wire.turn_limit,
    )


def _goods_set_text(number: int) -> str:
    """Return FULL or SHORT, empty if not set; another number as it is, which no option allows."""
    if number == caravan_pb2.GOODS_SET_UNSPECIFIED:
        return ""
    return next((goods.value for goods, value in _GOODS_SETS.items() if value == number), str(number))


@lru_cache(maxsize=64)
def _setup_bytes(board: Board, options: Options) -> bytes:
    message = caravan_pb2.Board(
        name=board.name,
        rows=board.rows,
        columns=board.columns,
        goods_spaces=board.goods_spaces,
        cities=board.cities,
    )
    return caravan_pb2.Observation(board=message, options=_options_message(options)).SerializeToString()


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
        ending=caravan_pb2.Ending.ValueType(0 if ending is None else ending.value),
    ).SerializeToString()


@lru_cache(maxsize=8192)
def _seat_bytes(view: SeatView) -> bytes:
    message = caravan_pb2.Seat(
        supply=view.supply,
        empty_camels=[caravan_pb2.EmptyCamels(square=at, count=camels) for at, camels in view.empty_camels],
        laden_camels=[
            caravan_pb2.LadenCamel(square=at, good=_GOOD.value(good), is_protected=protected)
            for at, good, protected in view.laden_camels
        ],
        theft_markers=view.theft_markers,
        demand_markers=view.demand_markers,
        delivered=view.delivered,
        score=view.score,
    )
    return embedded(_SEATS_FIELD, message.SerializeToString())


def _seat_view(wire: caravan_pb2.Seat) -> SeatView:
    return SeatView(
        supply=wire.supply,
        empty_camels=tuple(EmptyCamels(camels.square, camels.count) for camels in wire.empty_camels),
        laden_camels=tuple(
            LadenCamel(camel.square, _GOOD.member("good", camel.good), camel.is_protected)
            for camel in wire.laden_camels
        ),
        theft_markers=wire.theft_markers,
        demand_markers=wire.demand_markers,
        delivered=tuple(wire.delivered),
        score=wire.score,
    )


@lru_cache(maxsize=8192)
def _goods_bytes(spaces: tuple[GoodsSpace, ...], bag: tuple[int, ...]) -> bytes:
    messages = [
        caravan_pb2.GoodsSpace(
            good=caravan_pb2.GOOD_UNSPECIFIED if space.good is None else _GOOD.value(space.good),
            demand_markers=space.demand_markers,
        )
        for space in spaces
    ]
    return caravan_pb2.Observation(goods_spaces=messages, bag=bag).SerializeToString()


@lru_cache(maxsize=65536)
def _action_bytes(action: int) -> bytes:
    return games_pb2.Action(caravan=_action_message(action)).SerializeToString()


def _action_message(action: int) -> caravan_pb2.Action:
    at, to, good = packing.at_of(action), packing.to_of(action), _GOOD.value(packing.good_of(action))
    match packing.kind_of(action):
        case packing.PASS:
            return caravan_pb2.Action(pass_turn=caravan_pb2.Pass())
        case packing.PLACE:
            return caravan_pb2.Action(place=caravan_pb2.Place(to_square=to))
        case packing.MOVE:
            return caravan_pb2.Action(move=caravan_pb2.Move(from_square=at, to_square=to))
        case packing.PICK_UP:
            return caravan_pb2.Action(pick_up=caravan_pb2.PickUp(at_square=at))
        case packing.STEAL:
            victim = packing.victim_of(action)
            return caravan_pb2.Action(steal=caravan_pb2.Steal(at_square=at, victim=victim, good=good))
        case packing.MOVE_GOOD:
            protected = packing.is_protected(action)
            moved = caravan_pb2.MoveGood(from_square=at, good=good, is_protected=protected, to_square=to)
            return caravan_pb2.Action(move_good=moved)
        case _:
            raise ValueError(f"{action} is no action of Caravan")


def _action(wire: caravan_pb2.Action, squares: int, seats: int) -> int:
    """Return the packed action, its fields in range. Raises UnreadableActionError."""
    match wire.WhichOneof("kind"):
        case "pass_turn":
            return packing.PASS_ACTION
        case "place":
            return packing.place(packing.check_square("place.to_square", wire.place.to_square, squares))
        case "move":
            return packing.move(
                packing.check_square("move.from_square", wire.move.from_square, squares),
                packing.check_square("move.to_square", wire.move.to_square, squares),
            )
        case "pick_up":
            return packing.pick_up(packing.check_square("pick_up.at_square", wire.pick_up.at_square, squares))
        case "steal":
            return packing.steal(
                packing.check_square("steal.at_square", wire.steal.at_square, squares),
                packing.check_victim("steal.victim", wire.steal.victim, seats),
                _GOOD.member("steal.good", wire.steal.good),
            )
        case "move_good":
            return packing.move_good(
                packing.check_square("move_good.from_square", wire.move_good.from_square, squares),
                _GOOD.member("move_good.good", wire.move_good.good),
                packing.check_square("move_good.to_square", wire.move_good.to_square, squares),
                protected=wire.move_good.is_protected,
            )
        case None:
            raise no_kind(("pass_turn", "place", "move", "pick_up", "steal", "move_good"))
        case unknown:
            assert_never(unknown)
