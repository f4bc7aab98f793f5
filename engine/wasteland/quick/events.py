"""Which Event card is worth playing now, and which is worth keeping: estimates, no rules."""

from typing import Final

from engine.wasteland.actions import PASS_ACTION, card_of, hits_of, target_of
from engine.wasteland.attack_cards import ATTACKER_DEFENSE
from engine.wasteland.caravan_cards import HEAD
from engine.wasteland.event_cards import (
    AMBUSH,
    ATTACK_TYPE,
    BARGAIN,
    BONUS_CONTRACT,
    CONTRACT_CANCELLED,
    DRY_MARKET,
    END,
    ESCORT,
    EVENTS,
    FIELD_REPAIRS,
    FLAT_TIRE,
    HIDDEN_CACHE,
    LEAKING_TANK,
    MOST_CARDS,
    PICKPOCKETS,
    ROAD_BLOCK,
    SALVAGE,
    SANDSTORM,
    SPOILED_STORES,
    TAILWIND,
)
from engine.wasteland.missions import NEEDS
from engine.wasteland.position import Position
from engine.wasteland.quick.aims import best_aim
from engine.wasteland.quick.fights import toll_of
from engine.wasteland.quick.worth import Buyer, Errands, Fighter
from engine.wasteland.resources import KINDS

_ENOUGH: Final = 0.7
"""What a card must bring, or cost the other, to be played now."""

_PURSE: Final = 2.0
"""What Pickpockets is worth: one has what the other loses."""

_KEEPING: Final = {
    HIDDEN_CACHE: 9,
    PICKPOCKETS: 8,
    FIELD_REPAIRS: 7,
    ESCORT: 6,
    BARGAIN: 6,
    BONUS_CONTRACT: 6,
    TAILWIND: 5,
    AMBUSH: 5,
    FLAT_TIRE: 4,
    ROAD_BLOCK: 4,
    SALVAGE: 3,
    LEAKING_TANK: 3,
    SPOILED_STORES: 3,
    SANDSTORM: 2,
    DRY_MARKET: 2,
    CONTRACT_CANCELLED: 1,
}
"""How gladly a card is kept; 3 what is not named."""


def choose_event(position: Position) -> int:
    """Return the play that is worth most, or a pass."""
    seat, current = position.seat_to_act, position.current
    hurts = seat != current and is_leader(position, current, seat)
    blocked = -1
    best, best_worth = PASS_ACTION, _ENOUGH
    for action in position.legal_actions():
        if action == PASS_ACTION:
            continue
        card = card_of(action)
        if seat != current and card != PICKPOCKETS and not hurts:
            continue
        if card == ROAD_BLOCK:
            if blocked < 0:
                blocked = best_aim(position, position.allowance()).end
            if target_of(action) != blocked:
                continue
        worth = play_worth(position, action)
        if worth > best_worth:
            best, best_worth = action, worth
    return best


def play_worth(position: Position, action: int) -> float:
    """Return what it brings to play that card now, or costs the current player if it is played against them."""
    card, target = card_of(action), target_of(action)
    if position.seat_to_act == position.current:
        return _own_worth(position, card, target)
    return _PURSE if card == PICKPOCKETS else _harm(position, card, target)


def is_leader(position: Position, current: int, seat: int) -> bool:
    """Return whether no other opponent of the seat has a higher score than the current player."""
    own = position.score(current)
    for other in range(position.setup.seats):
        if other not in (current, seat) and position.score(other) > own:
            return False
    return True


def _own_worth(position: Position, card: int, target: int) -> float:
    """Return what a card brings to the current player who plays it."""
    seat = position.current
    if card == HIDDEN_CACHE:
        return 2.0
    if card == FIELD_REPAIRS:
        hits = hits_of(target)
        if len(hits) < 2:
            return 0.0
        return 1.0 + 0.1 * sum([position.hits[seat][each] for each in hits]) + (0.2 if HEAD in hits else 0.0)
    if card == TAILWIND:
        left = position.allowance()
        return best_aim(position, left + 2).worth - best_aim(position, left).worth - 1.0
    if card == BARGAIN:
        return 2.0 if Buyer(position, seat).best()[0] != HEAD else 0.0
    if card == BONUS_CONTRACT:
        return 2.0 if Errands(position, seat).paid_at(position.spaces[seat]) else 0.0
    if card == SALVAGE:
        errands = Errands(position, seat)
        mission, _ = errands.best(position.spaces[seat])
        if mission >= 0 and position.stores[seat][target] < NEEDS[mission][target]:
            return 1.5
    return 0.0


def _harm(position: Position, card: int, target: int) -> float:
    """Return what a card costs the current player, against whom it is played."""
    seat = position.current
    if card in ATTACK_TYPE:
        return fights_harm(position, 2 if card == AMBUSH else 1)
    if card == CONTRACT_CANCELLED:
        errands = Errands(position, seat)
        return 1.0 if errands.paid_at(position.spaces[seat]) and target in errands.missions else 0.0
    if card == SANDSTORM:
        aim = best_aim(position, position.allowance())
        return 1.0 if aim.wilds else 0.0
    if card == ROAD_BLOCK:
        return 1.5 if best_aim(position, position.allowance()).end == target else 0.0
    if card == FLAT_TIRE:
        left = position.allowance()
        return best_aim(position, left).worth - best_aim(position, max(1, left - 2)).worth
    return _loss(position, seat, card, target)


def _loss(position: Position, seat: int, card: int, target: int) -> float:
    """Return what resources that are lost, or not to be had, are worth."""
    mission, _ = Errands(position, seat).best(position.spaces[seat])
    if mission < 0:
        return 0.0
    stored, needs = position.stores[seat], NEEDS[mission]
    if card == DRY_MARKET:
        return 1.5 if stored[target] < needs[target] else 0.0
    if card == LEAKING_TANK:
        return 1.5 if needs[0] else 0.8
    if card == SPOILED_STORES and position.window != END:
        pressed = all(needs[kind] >= stored[kind] for kind in range(2, KINDS))
        return 1.2 if pressed else 0.0
    return 0.0


def fights_harm(position: Position, cards: int) -> float:
    """Return what so many Attack cards more cost the current player, with those of the queue and of their Wilds."""
    fighter = Fighter(position, position.current)
    waiting = 0.0
    for card, _ in position.queue:
        waiting += toll_of(card, fighter.attack, fighter.defense, ATTACKER_DEFENSE[card], 0).hits
    required = float(sum([cards_of for _, cards_of in position.wilds]))
    return fighter.worth(required, waiting) - fighter.worth(required + cards, waiting)


def parries(position: Position) -> bool:
    """Return whether the current player is better off without the fights of the card just played (W29)."""
    return fights_harm(position, 2 if position.responding_to == AMBUSH else 1) > 0


def least_event(position: Position) -> int:
    """Return the Event card that a full hand can best do without; -1 if there is room (W62, W63)."""
    hand = position.hands[position.seat_to_act]
    if sum(hand) < MOST_CARDS:
        return -1
    worst, least = -1, 100
    for card in range(EVENTS):
        if hand[card]:
            keeping = _KEEPING.get(card, 3)
            if keeping < least:
                worst, least = card, keeping
    return worst
