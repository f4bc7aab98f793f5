"""The game object of Caravans of Ahldarahd: set-up, options, and positions from observations."""

from collections.abc import Mapping
from typing import Final

from engine import option_names
from engine.ahldarahd.actions import ACCEPT_ACTION, RIGHTS, SHAH
from engine.ahldarahd.board import KINDS, NAMES, ROUTES
from engine.ahldarahd.notation import item_name
from engine.ahldarahd.observation import Observation
from engine.ahldarahd.offers import Side, offer_of
from engine.ahldarahd.options import (
    MAX_SEATS,
    MIN_SEATS,
    OPTION_SPECS,
    Options,
    option_values,
    read_options,
)
from engine.ahldarahd.position import ASK_REPLY, OFFERS, START_CARDS, START_GOLD, Setup
from engine.ahldarahd.sensible import sensible_action
from engine.ahldarahd.state import AhldarahdState
from engine.ahldarahd.views import blocks_of, fill_from
from engine.game import Chance, Exchange, Game, GameSpec, State, own
from engine.randomness import Stream

_NIGHTS: Final = 3
"""There are so many black chips."""

_MOST_OF_A_CLAIM: Final = 11
"""Salt and another city of five routes, for one card."""

_LONG_MATCH: Final = 70
"""Decisions of a seat."""


class Ahldarahd(Game):
    """Caravans of Ahldarahd, 2 to 5 seats."""

    spec = GameSpec(
        id="ahldarahd",
        title="Caravans of Ahldarahd",
        rules_version=1,
        min_seats=MIN_SEATS,
        max_seats=MAX_SEATS,
        options=OPTION_SPECS,
        chance=Chance.HIDDEN,
        hidden_information=True,
        secret_decisions=False,
    )

    def options(self, seats: int, values: Mapping[str, str]) -> Options:
        """Return the options for so many seats (A3). Raises InvalidOptionsError."""
        option_names.check(self.spec, seats, values)
        return read_options(seats, values)

    def option_values(self, options: object) -> dict[str, str]:
        """Return all options by name as text."""
        return option_values(own(options, Options))

    def max_plies(self, seats: int, options: object) -> int:
        """At most 6n + 1 turns (A31), in each of which bids rise up to the gold that there can be (A13, A28).

        A purchase that takes both cities of its route brings back its price, so gold comes from elsewhere: from the
        start, claims (a card each), Rights sold, and one chip that a favour spares.
        """
        chosen = own(options, Options)
        maps = seats + 1 if chosen.neutral_board else seats
        turns = 6 * seats + 1
        built = 2 * ROUTES * maps + (_NIGHTS if chosen.night_of_the_outsider else 0)
        gold = (START_GOLD + KINDS * _MOST_OF_A_CLAIM) * seats + turns * (KINDS * seats + built * seats)
        bidding = seats * (gold + seats + 2)
        building = seats * (built + seats + 2 * OFFERS + 1)
        return seats + turns * (bidding + building) + _NIGHTS * 3 * seats

    def long_match(self, seats: int, options: object) -> int:
        """Return the most decisions of a seat that were measured, rounded up."""
        return min(_LONG_MATCH, self.max_plies(seats, options))

    def exchange(self, state: State, action: int) -> Exchange | None:
        """Return the offer that `accept` or `decline` answers (A45): gold, cards by commodity, items by name (A48)."""
        position = own(state, AhldarahdState)
        if position.decision != ASK_REPLY:
            return None
        offer = offer_of(position.offer)
        proposer, accepted = position.order[position.at], action == ACCEPT_ACTION
        return Exchange(
            position.turn, proposer, offer.to, _amounts(offer.give), _amounts(offer.want), accepted
        )

    def new_match(self, seats: int, options: object, seed: bytes) -> AhldarahdState:
        """Return the position after A6 and A7, before the first free routes."""
        option_names.check(self.spec, seats)
        state = AhldarahdState(Setup(seats, own(options, Options)))
        state.clear()
        stream = Stream(seed)
        first = stream.uniform(seats)
        blocks: list[list[int]] = []
        for colour in range(seats):
            pile = list(range(KINDS))
            stream.shuffle(pile)
            for commodity in pile[:START_CARDS]:
                state.hands[colour][commodity] += 1
            blocks.append([KINDS * colour + commodity for commodity in pile[START_CARDS:]])
        state.deck = [card for colour in blocks_of(seats, first) for card in blocks[colour]]
        state.seed, state.words = seed, stream.words
        for map_ in range(seats):
            state.holders[RIGHTS + map_] = (map_ - 1) % seats
        state.holders[SHAH] = first
        state.begin_setup(first)
        return state

    def from_observation(self, observation: object, stream: Stream) -> AhldarahdState:
        """Return a position that fits what was seen, with hidden cards and draws to come from the stream."""
        seen = own(observation, Observation)
        state = AhldarahdState(Setup(len(seen.seats), seen.options))
        state.clear()
        fill_from(state, seen, stream)
        return state

    def sensible_action(self, state: State, stream: Stream) -> int:
        """Return a quick plausible action (engine.ahldarahd.sensible)."""
        return sensible_action(own(state, AhldarahdState), stream)


def _amounts(side: Side) -> dict[str, int]:
    cards = {NAMES[commodity]: count for commodity, count in enumerate(side.cards) if count}
    gold = {"gold": side.gold} if side.gold else {}
    return gold | cards | {item_name(item): 1 for item in side.items}


AHLDARAHD = Ahldarahd()
