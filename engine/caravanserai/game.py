"""The game object of Caravanserai: set-up, options, and positions from observations."""

from collections.abc import Mapping
from typing import Final

from engine import option_names
from engine.caravanserai.laying_out import lay_out
from engine.caravanserai.observation import Observation, Placement
from engine.caravanserai.options import (
    MAX_SEATS,
    MIN_SEATS,
    OPTION_SPECS,
    Options,
    option_values,
    read_options,
)
from engine.caravanserai.pieces import (
    COLOUR_COUNT,
    NO_COLOUR,
    OWN_GOODS,
    SHARED_GOODS,
    SHARED_GOODS_EXPERT,
)
from engine.caravanserai.position import NEVER, setup_of
from engine.caravanserai.state import LAST_ROUND, CaravanseraiState
from engine.game import TERMINAL, Chance, Game, GameSpec, own
from engine.randomness import Stream

LEVELS: Final = (
    (45, "Chief of the 5 tribes"),
    (40, "Tribal chief"),
    (35, "Xiansheng"),
    (30, "Great camel driver"),
    (25, "Camel driver"),
)
"""From which length of the caravan on, in solo (S43)."""

_LONG_MATCH: Final = 130
"""Decisions of a seat."""


class Caravanserai(Game):
    """Caravanserai, 1 to 6 seats."""

    spec = GameSpec(
        id="caravanserai",
        title="Caravanserai",
        rules_version=1,
        min_seats=MIN_SEATS,
        max_seats=MAX_SEATS,
        options=OPTION_SPECS,
        chance=Chance.OPEN,
        hidden_information=False,
        secret_decisions=False,
    )

    def options(self, seats: int, values: Mapping[str, str]) -> Options:
        """Return the options for so many seats (S1). Raises InvalidOptionsError."""
        option_names.check(self.spec, seats, values)
        return read_options(values)

    def option_values(self, options: object) -> dict[str, str]:
        """Return all options by name as text."""
        return option_values(own(options, Options))

    def max_plies(self, seats: int, options: object) -> int:
        """Return the bound of S50."""
        shared = SHARED_GOODS_EXPERT if own(options, Options).expert else SHARED_GOODS
        goods = COLOUR_COUNT * (shared + OWN_GOODS * seats)
        seeds_and_steals = 20 if seats == 1 else 12
        return 2 * seats + LAST_ROUND * seats * (goods + seeds_and_steals)

    def long_match(self, seats: int, options: object) -> int:
        """Return the most decisions of a seat that were measured, rounded up."""
        return min(_LONG_MATCH, self.max_plies(seats, options))

    def level(self, score: int) -> str:
        """Return the level that a solo match of that score reaches, or "" (S43)."""
        return next((name for length, name in LEVELS if score >= length), "")

    def new_match(self, seats: int, options: object, seed: bytes) -> CaravanseraiState:
        """Return the position after S8 to S13, in which the first seat opens."""
        option_names.check(self.spec, seats)
        return lay_out(seats, own(options, Options), Stream(seed))

    def from_observation(self, observation: object, stream: Stream) -> CaravanseraiState:
        """Return the position seen: nothing of it is hidden."""
        seen = own(observation, Observation)
        seats = len(seen.seats)
        state = CaravanseraiState(setup_of(seats, seen.options, seen.first, seen.tiles))
        state.clear()
        state.round = seen.round
        state.trigger = NEVER if seen.trigger is None else seen.trigger
        state.seat_to_act = TERMINAL if seen.seat_to_act is None else seen.seat_to_act
        state.decision, state.ending = seen.decision, seen.ending
        state.market = list(seen.market)
        for cell in seen.loose:
            state.loose |= state.setup.tables.bits[state.setup.tables.numbers[cell]]
        for seat in range(seats):
            _seat_from(state, seen, seat)
        if seen.placement is not None:
            _placement_from(state, seen.placement)
        state.steal = NO_COLOUR if seen.steal is None else seen.steal
        state.seeds = seen.seeds
        return state


def _seat_from(state: CaravanseraiState, observation: Observation, seat: int) -> None:
    view, tables = observation.seats[seat], state.setup.tables
    state.camels[seat] = view.camels
    state.goods[COLOUR_COUNT * seat : COLOUR_COUNT * (seat + 1)] = view.goods
    state.cells[seat] = bytes(tables.numbers[cell] for cell, _ in view.caravan)
    state.pieces[seat] = bytes(piece for _, piece in view.caravan)
    for number in state.cells[seat]:
        state.occupied |= tables.bits[number]


def _placement_from(state: CaravanseraiState, placement: Placement) -> None:
    state.laid = len(placement.pieces)
    state.size = placement.size
    state.direction = placement.direction or 0
    state.declined = bytes(placement.declined)
    state.missing = placement.missing


CARAVANSERAI = Caravanserai()
