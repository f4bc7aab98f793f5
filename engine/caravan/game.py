"""The game object of Caravan: set-up, options, and positions from observations."""

from collections.abc import Mapping
from typing import Final

from engine import option_names
from engine.caravan.actions import laden_camel
from engine.caravan.board import load_board
from engine.caravan.goods import GOODS, GOODS_COUNT, NO_GOOD, canonical_bag
from engine.caravan.observation import Observation
from engine.caravan.options import (
    MAX_SEATS,
    MIN_SEATS,
    OPTION_SPECS,
    Options,
    option_values,
    read_options,
)
from engine.caravan.position import Setup
from engine.caravan.state import MOST_POINTS, CaravanState
from engine.game import TERMINAL, Chance, Game, GameSpec, own
from engine.randomness import Stream

_MARKED_SPACES = (0, 1, 6, 7)
"""The indices of the goods spaces 1, 2, 7 and 8 (C5)."""

_LONG_MATCH: Final = 180
"""Decisions of a seat."""


class Caravan(Game):
    """Caravan, 2 to 4 seats."""

    spec = GameSpec(
        id="caravan",
        title="Caravan",
        rules_version=1,
        min_seats=MIN_SEATS,
        max_seats=MAX_SEATS,
        options=OPTION_SPECS,
        chance=Chance.HIDDEN,
        hidden_information=False,
        secret_decisions=False,
    )

    def options(self, seats: int, values: Mapping[str, str]) -> Options:
        """Return the options for so many seats (C2, C18). Raises InvalidOptionsError."""
        option_names.check(self.spec, seats, values)
        return read_options(seats, values)

    def option_values(self, options: object) -> dict[str, str]:
        """Return all options by name as text."""
        return option_values(own(options, Options))

    def max_plies(self, seats: int, options: object) -> int:
        """Every ply costs a point or ends its turn, and turn t has min(t, 4) points."""
        turns = own(options, Options).turn_limit
        first = min(turns, MOST_POINTS)
        return first * (first + 1) // 2 + MOST_POINTS * (turns - first)

    def long_match(self, seats: int, options: object) -> int:
        """Return the most decisions of a seat that were measured, rounded up."""
        return min(_LONG_MATCH, self.max_plies(seats, options))

    def new_match(self, seats: int, options: object, seed: bytes) -> CaravanState:
        """Return the position after C3, C4 and C5, at the start of turn 1."""
        option_names.check(self.spec, seats)
        chosen = own(options, Options)
        state = CaravanState(Setup(seats, chosen, load_board(chosen.board)))
        state.clear()
        stream = Stream(seed)
        _fill_bag(state, GOODS_COUNT[chosen.goods], stream)
        for space in range(len(state.space_goods)):
            state.draw_onto(space)
        for space in _MARKED_SPACES:
            state.space_markers[space] = 1
        state.begin_turn()
        return state

    def from_observation(self, observation: object, stream: Stream) -> CaravanState:
        """Return the position seen, with the rest of the bag in a random order."""
        seen = own(observation, Observation)
        state = CaravanState(Setup(len(seen.seats), seen.options, seen.board))
        state.clear()
        state.turn = seen.turn
        state.points = seen.points
        state.seat_to_act = TERMINAL if seen.ending else seen.seat_to_act
        state.idle = seen.idle
        state.idle_turns = seen.idle_turns
        state.ending = seen.ending
        for seat in range(len(seen.seats)):
            _seat_from(state, seen, seat)
        state.theft_markers = tuple([view.theft_markers for view in seen.seats])
        state.demand_markers = tuple([view.demand_markers for view in seen.seats])
        state.delivered = tuple([count for view in seen.seats for count in view.delivered])
        _spaces_from(state, seen)
        _fill_bag(state, seen.bag, stream)
        return state


def _fill_bag(state: CaravanState, counts: tuple[int, ...], stream: Stream) -> None:
    """Fill the bag with so many goods of each kind, shuffled by the stream (C4)."""
    goods = list(canonical_bag(counts))
    stream.shuffle(goods)
    state.bag = bytes(goods)
    state.bag_left = counts
    state.stream_words = stream.words


def _seat_from(state: CaravanState, observation: Observation, seat: int) -> None:
    view = observation.seats[seat]
    state.supply[seat] = view.supply
    state.empty[seat] = tuple(square for square, camels in view.empty_camels for _ in range(camels))
    state.laden[seat] = tuple(
        laden_camel(camel.square, camel.good, protected=camel.protected) for camel in view.laden_camels
    )
    for square in (*state.empty[seat], *(camel.square for camel in view.laden_camels)):
        state.occupied[seat] |= state.setup.tables.bits[square]
        state.camels += bytes((square,))


def _spaces_from(state: CaravanState, observation: Observation) -> None:
    squares = observation.board.goods_spaces
    for space, (good, markers) in enumerate(observation.goods_spaces):
        state.space_goods[space] = NO_GOOD if good is None else GOODS.index(good)
        state.space_markers[space] = markers
        if good is not None:
            state.goods_on_spaces |= state.setup.tables.bits[squares[space]]


CARAVAN = Caravan()
