"""The game object of Wasteland: set-up, options, and positions from observations."""

from collections.abc import Mapping
from typing import Final

from engine import option_names
from engine.game import Chance, Game, GameSpec, State, own
from engine.randomness import Stream
from engine.wasteland.attack_cards import FIRST_DECK
from engine.wasteland.combat import LAST_ROUND
from engine.wasteland.event_cards import FIRST_EVENT_DECK, MOST_CARDS, WINDOW_NAMES
from engine.wasteland.location import MOST_ACTIONS
from engine.wasteland.missions import MISSIONS
from engine.wasteland.observation import Observation
from engine.wasteland.options import (
    MAX_SEATS,
    MIN_SEATS,
    OPTION_SPECS,
    TITLE,
    Options,
    option_values,
    read_options,
)
from engine.wasteland.position import Setup
from engine.wasteland.sensible import sensible_action
from engine.wasteland.state import WastelandState
from engine.wasteland.views import fill_from

_MOST_STEPS: Final = 11
"""In a Movement (W76)."""

_ROUND_DECISIONS: Final = 2 + 4
"""Boost, reroll, and four Hits to place."""

_MOST_STORED: Final = 24
"""Slots of a whole caravan (W5), each of which may be given up once before it is filled again."""

_LONG_ROUND: Final = 10
_LONG_MATCH: Final = 420
"""Decisions of a seat."""


class Wasteland(Game):
    """Wasteland, 2 to 4 seats."""

    spec = GameSpec(
        id="wasteland",
        title=TITLE,
        rules_version=1,
        min_seats=MIN_SEATS,
        max_seats=MAX_SEATS,
        options=OPTION_SPECS,
        chance=Chance.HIDDEN,
        hidden_information=True,
        secret_decisions=True,
    )

    def options(self, seats: int, values: Mapping[str, str]) -> Options:
        """Return the options for so many seats (W2). Raises InvalidOptionsError."""
        option_names.check(self.spec, seats, values)
        return read_options(values)

    def option_values(self, options: object) -> dict[str, str]:
        """Return all options by name as text."""
        return option_values(own(options, Options))

    def max_plies(self, seats: int, options: object) -> int:
        """W76: plays are bounded by hands, fights by their rounds, Location by its actions, turns by the rounds."""
        plays = MOST_CARDS * seats
        windows = len(WINDOW_NAMES) * ((plays + 1) * seats + plays)
        attackers = 2 * (_MOST_STEPS + seats - 1)
        fights = attackers * (1 + LAST_ROUND * _ROUND_DECISIONS) + _MOST_STORED
        turn = windows + _MOST_STEPS + 2 + fights + 1 + MOST_ACTIONS + 1 + 2
        return seats + own(options, Options).max_rounds * seats * turn

    def long_match(self, seats: int, options: object) -> int:
        """Return the most decisions of a seat that were measured, rounded up: by its rounds, and in a whole match."""
        return min(
            _LONG_ROUND * own(options, Options).max_rounds, _LONG_MATCH, self.max_plies(seats, options)
        )

    def new_match(self, seats: int, options: object, seed: bytes) -> WastelandState:
        """Return the position after W13 and W14, before the first choice of a City."""
        option_names.check(self.spec, seats)
        state = WastelandState(Setup(seats, own(options, Options)))
        state.clear()
        state.seed = Stream(seed).seed
        state.event_deck, state.attack_deck = tuple(FIRST_EVENT_DECK), tuple(FIRST_DECK)
        state.mission_deck = tuple(range(MISSIONS))
        state.begin_setup()
        return state

    def from_observation(self, observation: object, stream: Stream) -> WastelandState:
        """Return a position that fits what was seen, with hidden cards and draws to come from the stream."""
        seen = own(observation, Observation)
        state = WastelandState(Setup(len(seen.seats), seen.options))
        state.clear()
        fill_from(state, seen, stream)
        return state

    def sensible_action(self, state: State, stream: Stream) -> int:
        """Return a quick plausible action (engine.wasteland.sensible)."""
        return sensible_action(own(state, WastelandState), stream)


WASTELAND = Wasteland()
