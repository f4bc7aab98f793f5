"""What caravans, missions and positions are worth to a seat, in Cash: estimates, no rules."""

from typing import Final

from engine.wasteland.board import NOWHERE
from engine.wasteland.caravan_cards import (
    ATTACK,
    CARDS,
    DEFENSE,
    FIELD_HOSPITAL,
    HEAD,
    HEALTH,
    MOST_DEFENSE,
    MOVEMENT,
    SLOTS,
)
from engine.wasteland.missions import MISSION_TOWN, NEEDS, REWARD
from engine.wasteland.plans import OFFERED, TOURS, lacks
from engine.wasteland.position import NOT_IN_PLAY, START_CASH, Position
from engine.wasteland.quick.fights import Toll, fall_chance, required_toll, toll_of
from engine.wasteland.resources import ANY, KINDS, fits

STEP: Final = 0.7
"""What a step costs on the way to a mission."""

_INCOME: Final = 4.0
"""Of the leader in a turn: so the end of the match is guessed."""
_MOST_TURNS: Final = 7.0

_FIGHTS: Final = 3.0
"""In a turn, of a caravan that goes for them."""

_MOVEMENT: Final = 0.8
"""One more of it, in a turn."""
_SLOT: Final = 0.15
"""One more of them, in a turn."""
_HOSPITAL: Final = 0.7
"""In a turn."""
_LEAST_HIT: Final = 0.5
"""What a Hit costs at least in the turns that a card is bought for."""
_NEW_SLOTS: Final = [min(3, sum(SLOTS[card])) for card in range(CARDS)]
"""By card: slots that count."""
_PRICE: Final = 0.6
"""Of each Cash spent: half of it counts at the end, but not for the goal."""
_DISTRESS: Final = 5.0
"""What a seat that falls loses beside its Cash and its cards."""
_PART: Final = 0.5
"""Of the worth of the best mission, for it is not delivered yet."""


def turns_left(position: Position) -> float:
    """Return how many more turns a seat is likely to have, this one not counted."""
    if position.goal_reached:
        return 0.0
    most = max(position.cash)
    left = min(_MOST_TURNS, (position.setup.goal - most) / _INCOME)
    return min(left, float(position.setup.rounds - position.round))


def hit_cost(turns: float) -> float:
    """Return what a Hit costs that destroys nothing yet; the more turns there are to come, the more."""
    return 0.1 + 0.11 * turns


class Fighter:
    """A caravan as one that fights, reckoned once."""

    __slots__ = ("attack", "defense", "left", "stake", "toll", "turns")

    def __init__(self, position: Position, seat: int) -> None:
        """As it is now."""
        self.attack: int = position.attack(seat)
        self.defense: int = position.defense(seat)
        health = position.total_health(seat)
        self.left: int = health - position.total_hits(seat)
        self.toll: Toll = required_toll(self.attack, self.defense, health)
        """Of one required Attack card."""
        self.turns: float = turns_left(position)
        self.stake: float = position.score(seat) - START_CASH + _DISTRESS
        """What the seat would lose with its Head (W52)."""

    def worth(self, cards: float, hits: float) -> float:
        """Return the worth of so many required Attack cards, when so many Hits are expected besides."""
        toll = self.toll
        fall = fall_chance(cards * toll.hits + hits, self.left) - fall_chance(hits, self.left)
        return cards * (toll.bounty - toll.hits * hit_cost(self.turns)) - fall * self.stake

    def fight_worth(self, card: int, card_defense: int, card_hits: int) -> float:
        """Return the worth of a fight against that card."""
        toll = toll_of(card, self.attack, self.defense, card_defense, card_hits)
        fall = fall_chance(toll.hits, self.left)
        return toll.bounty - toll.hits * hit_cost(self.turns) - fall * self.stake


class Errands:
    """The face-up missions that a seat can carry, and what it still lacks for each."""

    __slots__ = ("lacking", "missions")

    def __init__(self, position: Position, seat: int) -> None:
        """As the seat is loaded now."""
        slots, stored = position.slots(seat), position.stores[seat]
        self.missions: list[int] = [each for each in position.missions if fits(NEEDS[each], slots)]
        self.lacking: list[int] = [lacks(stored, each) for each in self.missions]

    def best(self, space: int) -> tuple[int, float]:
        """Return the mission that pays most for its steps from that space, and its worth; -1 and 0 if none pays."""
        best, best_worth = -1, 0.0
        offered = OFFERED[space]
        for place, mission in enumerate(self.missions):
            missing = self.lacking[place] & ~offered
            worth = REWARD[mission] - STEP * TOURS[MISSION_TOWN[mission]][missing][space]
            if worth > best_worth:
                best, best_worth = mission, worth
        return best, best_worth

    def paid_at(self, town: int) -> int:
        """Return what the best mission pays that can be delivered there at once; 0 if none can."""
        paid = 0
        for place, mission in enumerate(self.missions):
            if not self.lacking[place] and MISSION_TOWN[mission] == town:
                paid = max(paid, REWARD[mission])
        return paid


def needs_of(position: Position, seat: int) -> list[int]:
    """Return what the seat's best mission needs, by resource; nothing if there is none."""
    space = position.spaces[seat]
    mission = -1 if space == NOWHERE else Errands(position, seat).best(space)[0]
    return [0] * KINDS if mission < 0 else NEEDS[mission]


class Buyer:
    """A caravan as one that grows, reckoned once."""

    __slots__ = ("attack", "before", "defense", "health", "position", "seat", "turns")

    def __init__(self, position: Position, seat: int) -> None:
        """As it is now."""
        self.position: Position = position
        self.seat: int = seat
        self.attack: int = position.attack(seat)
        self.defense: int = 0
        """Without the bound of W18."""
        for card, taken in enumerate(position.hits[seat]):
            if taken != NOT_IN_PLAY:
                self.defense += DEFENSE[card]
        self.health: int = position.total_health(seat)
        self.before: Toll = required_toll(self.attack, min(MOST_DEFENSE, self.defense), self.health)
        self.turns: float = turns_left(position)

    def worth(self, card: int) -> float:
        """Return what the card would bring, less what is lost for good by its price (W57, W68)."""
        defense = min(MOST_DEFENSE, self.defense + DEFENSE[card])
        before = self.before
        after = required_toll(self.attack + ATTACK[card], defense, self.health + HEALTH[card])
        cost = hit_cost(self.turns)
        gain = _FIGHTS * (after.bounty - before.bounty + (before.hits - after.hits) * max(cost, _LEAST_HIT))
        gain += _MOVEMENT * MOVEMENT[card] + _SLOT * _NEW_SLOTS[card]
        if card == FIELD_HOSPITAL:
            gain += _HOSPITAL
        return gain * self.turns + HEALTH[card] * cost - _PRICE * self.position.price(card)

    def best(self) -> tuple[int, float]:
        """Return the card worth most that the seat's Cash buys; the Head and 0 if none is worth its price."""
        best, best_worth = HEAD, 0.0
        hits, cash = self.position.hits[self.seat], self.position.cash[self.seat]
        for card in range(1, CARDS):
            if hits[card] == NOT_IN_PLAY and self.position.price(card) <= cash:
                worth = self.worth(card)
                if worth > best_worth:
                    best, best_worth = card, worth
        return best, best_worth


def seat_worth(position: Position, seat: int) -> float:
    """Return all that the seat has: its score, what its caravan will bring, its best mission; less what Hits cost."""
    turns = turns_left(position)
    worth = float(position.score(seat))
    if position.ending is not None:
        return worth
    toll = required_toll(position.attack(seat), position.defense(seat), position.total_health(seat))
    earned = max(0.0, toll.bounty - toll.hits * hit_cost(turns))
    moves = position.movement(seat)
    worth += turns * (_FIGHTS * earned + _MOVEMENT * (moves - MOVEMENT[HEAD]))
    worth += hit_cost(turns) * position.health_left(seat)
    slots = position.slots(seat)
    worth += _SLOT * turns * min(ANY, sum(slots) - sum(SLOTS[HEAD]))
    if turns > 0 and position.spaces[seat] >= 0:
        worth += _PART * Errands(position, seat).best(position.spaces[seat])[1]
    return worth


def leads(position: Position) -> list[float]:
    """By seat: how far it is ahead of the best other one, with a part for the mean of the others."""
    worths = [seat_worth(position, seat) for seat in range(position.setup.seats)]
    return [_lead(worths, seat) for seat in range(len(worths))]


def _lead(worths: list[float], seat: int) -> float:
    others = worths[:seat] + worths[seat + 1 :]
    return worths[seat] - 0.7 * max(others) - 0.3 * sum(others) / len(others)
