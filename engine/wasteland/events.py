"""What happens by the rules, for the log (W75). Cash is in whole numbers; cards, spaces and resources are numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cache, lru_cache
from typing import Final

from engine.game import EVERYBODY, Event


class Ending(IntEnum):
    """Why a match ended; `name` is the rules' word."""

    GOAL = 1
    """The round in which somebody reached the Cash goal is complete (W66)."""
    ROUND_LIMIT = 2
    """W67."""


class Deck(IntEnum):
    """One of the three shared decks."""

    EVENT = 1
    ATTACK = 2
    MISSION = 3


class Side(IntEnum):
    """Who rolled."""

    CARAVAN = 1
    REROLL = 2
    """The caravan, its misses once more (W44)."""
    ATTACK = 3


class Dodge(IntEnum):
    """How a fight was avoided, or made easier (W40)."""

    PAY = 1
    DETER = 2


@dataclass(frozen=True, slots=True)
class Shuffled(Event):
    """A whole deck was shuffled in the set-up (W13)."""

    deck: Deck
    cards: int


@dataclass(frozen=True, slots=True)
class MissionShown(Event):
    """A mission lies face up (W14, W58)."""

    place: int
    mission: int


@dataclass(frozen=True, slots=True)
class StartDie(Event):
    """A die for who begins (W16)."""

    seat: int
    die: int


@dataclass(frozen=True, slots=True)
class TurnBegan(Event):
    """A turn (W23)."""

    round: int
    seat: int


@dataclass(frozen=True, slots=True)
class Played(Event):
    """An Event card took effect, or waits for an answer (W27, W29)."""

    seat: int
    card: int
    target: int
    """As in `engine.wasteland.actions`; 0 where the card has none."""


@dataclass(frozen=True, slots=True)
class LostResource(Event):
    """Resources are gone: Leaking Tank, Spoiled Stores, storage that was destroyed (W30, W49)."""

    seat: int
    resource: int
    number: int


@dataclass(frozen=True, slots=True)
class AttackDrawn(Event):
    """An Attack card was drawn (W37)."""

    card: int
    engages: bool


@dataclass(frozen=True, slots=True)
class FightBegan(Event):
    """A card of the queue is to be fought (W39)."""

    card: int


@dataclass(frozen=True, slots=True)
class Dodged(Event):
    """The card was paid or turned away (W38, W40)."""

    card: int
    how: Dodge
    resource: int | None
    """What was chosen, where there was a choice."""


@dataclass(frozen=True, slots=True)
class Rolled(Event):
    """Dice (W43-W45)."""

    side: Side
    dice: tuple[int, ...]
    """In the order in which they were rolled; of a reroll the new ones."""


@dataclass(frozen=True, slots=True)
class AttackDefeated(Event):
    """The card is beaten, and pays (W46)."""

    card: int
    bounty: int


@dataclass(frozen=True, slots=True)
class AttackGone(Event):
    """The card left after the last round of a combat (W50)."""

    card: int


@dataclass(frozen=True, slots=True)
class Destroyed(Event):
    """A Caravan card is lost (W48)."""

    seat: int
    card: int


@dataclass(frozen=True, slots=True)
class Defeated(Event):
    """A seat lost its Head, and with it all it had (W52)."""

    seat: int


@dataclass(frozen=True, slots=True)
class Delivered(Event):
    """A mission was fulfilled (W58)."""

    seat: int
    mission: int
    cash: int


@dataclass(frozen=True, slots=True)
class EventDiscarded(Event):
    """An Event card was put away (W62)."""

    seat: int
    card: int


@dataclass(frozen=True, slots=True)
class EventDrawn(Event):
    """An Event card came into a hand (W63, W64): which one its seat alone sees."""

    seat: int
    card: int | None
    """None for everybody else."""

    def audience(self) -> frozenset[int] | None:
        """Return the seat that drew; with the card left out, everybody."""
        return EVERYBODY if self.card is None else frozenset((self.seat,))

    def seen_by(self, viewer: int) -> EventDrawn:
        """Return the event without the card for all others."""
        return self if viewer == self.seat else replace(self, card=None)


@dataclass(frozen=True, slots=True)
class Rebuilt(Event):
    """A discard pile became the deck and was shuffled (W10)."""

    deck: Deck


@dataclass(frozen=True, slots=True)
class GoalReached(Event):
    """The first seat has the Cash that ends the match (W65)."""

    seat: int


@dataclass(frozen=True, slots=True)
class Ended(Event):
    """The match is over (W66, W67)."""

    ending: Ending


_KEPT: Final = 4096
"""Events with numbers that have no bound: of them so many are made once."""

shuffled: Final[Callable[[Deck, int], Shuffled]] = cache(Shuffled)
mission_shown: Final[Callable[[int, int], MissionShown]] = cache(MissionShown)
turn_began: Final[Callable[[int, int], TurnBegan]] = lru_cache(_KEPT)(TurnBegan)
played: Final[Callable[[int, int, int], Played]] = lru_cache(_KEPT)(Played)
lost_resource: Final[Callable[[int, int, int], LostResource]] = cache(LostResource)
attack_drawn: Final[Callable[[int, bool], AttackDrawn]] = cache(AttackDrawn)
fight_began: Final[Callable[[int], FightBegan]] = cache(FightBegan)
attack_defeated: Final[Callable[[int, int], AttackDefeated]] = cache(AttackDefeated)
destroyed: Final[Callable[[int, int], Destroyed]] = cache(Destroyed)
event_discarded: Final[Callable[[int, int], EventDiscarded]] = cache(EventDiscarded)
event_drawn: Final[Callable[[int, int], EventDrawn]] = cache(EventDrawn)
rebuilt: Final[Callable[[Deck], Rebuilt]] = cache(Rebuilt)
"""Events of these fields, made once for all matches."""
