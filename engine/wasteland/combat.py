"""Fights against Attack cards (sections 8 and 9 of the rules)."""

from typing import Final

from engine.wasteland.actions import (
    BOOST_ACTION,
    DETER,
    DETER_ACTION,
    FIGHT,
    FIGHT_ACTION,
    PASS_ACTION,
    PAY_ACTION,
    REROLL_ACTION,
    field_of,
    hit,
    kind_of,
    lose,
    pay_resource,
)
from engine.wasteland.attack_cards import (
    ATTACKER_ATTACK,
    ATTACKER_DEFENSE,
    BOUNTY,
    CHECK,
    DISCARD_WITH_BOUNTY,
    NO_PAY,
    PAY_ANY,
    PAY_CASH,
    PAY_DOES,
    PAY_RESOURCES,
    SHUFFLE_BACK,
    WEAKEN,
    WEAKENED_DEFENSE,
)
from engine.wasteland.board import NOWHERE
from engine.wasteland.caravan_cards import CARDS, GUN_TRUCK, HEAD, HEALTH, MOBILE_GARRISON
from engine.wasteland.decks import roll, shuffle_back
from engine.wasteland.events import (
    AttackGone,
    Defeated,
    Dodge,
    Dodged,
    Rolled,
    Side,
    attack_defeated,
    destroyed,
    fight_began,
)
from engine.wasteland.gains import gain_cash, lose_resource
from engine.wasteland.position import (
    ASK_BOOST,
    ASK_CITY,
    ASK_DODGE,
    ASK_HIT,
    ASK_OVERFLOW,
    ASK_REROLL,
    NOT_IN_PLAY,
    START_CASH,
    Position,
    bare_head,
    changed,
)
from engine.wasteland.resources import KINDS, MUNITIONS, fits

_CARAVAN: Final = Side.CARAVAN
_REROLL: Final = Side.REROLL
_ATTACK: Final = Side.ATTACK
"""Bound once: a member of an enum is found by a search."""

LAST_ROUND: Final = 50
"""W50."""

_BOOST: Final = 2
"""Dice (W42)."""

GOES_ON: Final = 0
FOUGHT: Final = 1
"""The card is gone; the next one follows."""
DEFEAT: Final = 2
"""The Head is lost (W52)."""


def begin(position: Position) -> None:
    """Begin to fight the first card of the queue (W39, W40)."""
    position.fight, surprise = position.queue[0]
    position.queue = position.queue[1:]
    position.fight_surprise = surprise == 1
    position.fight_defense = ATTACKER_DEFENSE[position.fight]
    position.events.append(fight_began(position.fight))
    position.decision, position.seat_to_act = ASK_DODGE, position.current


def dodges(position: Position) -> list[int]:
    """Return what the current player may do before the first round (W38, W40)."""
    card, seat = position.fight, position.current
    stored = position.stores[seat]
    found = [FIGHT_ACTION]
    if PAY_ANY[card]:
        found += [pay_resource(kind) for kind in range(KINDS) if stored[kind] >= PAY_ANY[card]]
    elif PAY_DOES[card] != NO_PAY and _can_pay(position, seat, card):
        found.append(PAY_ACTION)
    if position.setup.deter and CHECK[card] and position.total_health(seat) >= CHECK[card]:
        found.append(DETER_ACTION)
    return found


def _can_pay(position: Position, seat: int, card: int) -> bool:
    for kind in range(KINDS):
        if position.stores[seat][kind] < PAY_RESOURCES[card][kind]:
            return False
    return position.cash[seat] >= PAY_CASH[card]


def dodge(position: Position, action: int) -> int:
    """Carry out a dodge or a fight; return GOES_ON ... DEFEAT."""
    card, kind = position.fight, kind_of(action)
    if kind == FIGHT:
        return _fight_on(position)
    if kind == DETER:
        position.events.append(Dodged(card, Dodge.DETER, None))
        position.attack_discards += (card,)
        position.clear_fight()
        return FOUGHT
    chosen = field_of(action) - 1
    _pay(position, position.current, card, chosen)
    position.events.append(Dodged(card, Dodge.PAY, chosen if PAY_ANY[card] else None))
    does = PAY_DOES[card]
    if does == WEAKEN:
        position.fight_defense = WEAKENED_DEFENSE
        return _fight_on(position)
    position.clear_fight()
    if does == SHUFFLE_BACK:
        shuffle_back(position, card)
    else:
        position.attack_discards += (card,)
        if does == DISCARD_WITH_BOUNTY:
            gain_cash(position, position.current, BOUNTY[card])
    return FOUGHT


def _pay(position: Position, seat: int, card: int, chosen: int) -> None:
    if PAY_ANY[card]:
        position.add_units(seat, chosen, -PAY_ANY[card])
        return
    for kind in range(KINDS):
        position.add_units(seat, kind, -PAY_RESOURCES[card][kind])
    position.cash[seat] -= PAY_CASH[card]


def answer_boost(position: Position, *, boosted: bool) -> int:
    """Add two dice for a Munitions, or not (W42)."""
    if boosted:
        position.add_units(position.current, MUNITIONS, -1)
    if _roll(position, _BOOST if boosted else 0):
        return _fight_on(position)
    return GOES_ON


def answer_reroll(position: Position, *, rerolled: bool) -> int:
    """Roll the misses once more, or not (W44)."""
    if rerolled:
        position.add_units(position.current, MUNITIONS, -1)
        position.rerolled = True
        missed = [place for place, die in enumerate(position.dice) if die <= position.fight_defense]
        dice = roll(position, len(missed))
        position.events.append(Rolled(_REROLL, tuple(dice)))
        for place, die in zip(missed, dice, strict=True):
            position.dice = changed(position.dice, place, die)
    _strike(position)
    return _fight_on(position)


def _fight_on(position: Position) -> int:
    """Continue with the next question, or end the combat (W50)."""
    card = position.fight
    while True:
        if position.to_assign:
            position.decision, position.seat_to_act = ASK_HIT, position.current
            return GOES_ON
        if position.is_beaten():
            position.clear_fight()
            return FOUGHT
        if position.fight_round == LAST_ROUND:
            position.events.append(AttackGone(card))
            position.attack_discards += (card,)
            position.clear_fight()
            return FOUGHT
        if not _begin_round(position):
            return GOES_ON


def _begin_round(position: Position) -> bool:
    """Return whether all dice of the round have been rolled without a question (W42-W45, W51)."""
    position.fight_round += 1
    position.dice = ()
    if position.fight_surprise and position.fight_round == 1:
        _strike(position)
        return True
    seat = position.current
    if position.has_card(seat, MOBILE_GARRISON) and position.stores[seat][MUNITIONS]:
        position.decision, position.seat_to_act = ASK_BOOST, seat
        return False
    return _roll(position, 0)


def _roll(position: Position, more: int) -> bool:
    """Roll for the caravan (W43); return whether the card has rolled, too, since no reroll is possible (W44)."""
    seat = position.current
    position.dice = tuple(roll(position, position.attack(seat) + more))
    position.events.append(Rolled(_CARAVAN, position.dice))
    missed = min(position.dice) <= position.fight_defense
    can_pay = position.has_card(seat, GUN_TRUCK) and position.stores[seat][MUNITIONS] > 0
    if missed and can_pay and not position.rerolled:
        position.decision, position.seat_to_act = ASK_REROLL, seat
        return False
    _strike(position)
    return True


def _strike(position: Position) -> None:
    """Roll for the card, and count both sides' Hits (W45-W47)."""
    card, seat = position.fight, position.current
    dice = roll(position, ATTACKER_ATTACK[card])
    position.events.append(Rolled(_ATTACK, tuple(dice)))
    defense = position.defense(seat)
    position.to_assign = sum([1 for die in dice if die > defense])
    position.fight_hits += sum([1 for die in position.dice if die > position.fight_defense])
    if position.is_beaten():
        position.attack_discards += (card,)
        position.events.append(attack_defeated(card, BOUNTY[card]))
        gain_cash(position, seat, BOUNTY[card])


def targets(position: Position) -> list[int]:
    """Return the cards on which a Hit may be placed (W47)."""
    hits = position.hits[position.current]
    return [hit(card) for card in range(CARDS) if hits[card] != NOT_IN_PLAY]


def take_hit(position: Position, card: int) -> int:
    """Place a Hit (W47-W49)."""
    seat = position.current
    position.to_assign -= 1
    position.set_hits(seat, card, position.hits[seat][card] + 1)
    if position.hits[seat][card] >= HEALTH[card]:
        position.events.append(destroyed(seat, card))
        if card == HEAD:
            _defeat(position, seat)
            return DEFEAT
        position.set_hits(seat, card, NOT_IN_PLAY)
    return _check_storage(position, seat)


def overflows(position: Position) -> list[int]:
    """Return the resources of which a unit may be given up: those with more units than slots of that kind (W49)."""
    seat = position.current
    slots, stored = position.slots(seat), position.stores[seat]
    return [lose(kind) for kind in range(KINDS) if stored[kind] > slots[kind]]


def give_up(position: Position, resource: int) -> int:
    """Give up a unit that no longer fits (W49)."""
    seat = position.current
    lose_resource(position, seat, resource, 1)
    return _check_storage(position, seat)


def _check_storage(position: Position, seat: int) -> int:
    if not fits(position.stores[seat], position.slots(seat)):
        position.decision, position.seat_to_act = ASK_OVERFLOW, seat
        return GOES_ON
    return _fight_on(position)


def _defeat(position: Position, seat: int) -> None:
    """Let the seat begin anew at a City of its choice, with the Head, 5 Cash and its Event hand (W52, W53)."""
    position.events.append(Defeated(seat))
    if not position.is_beaten():
        position.attack_discards += (position.fight,)
    position.attack_discards += tuple([card for card, _ in position.queue])
    position.queue = ()
    position.clear_fight()
    position.hits[seat] = bare_head()
    position.stores[seat] = [0] * KINDS
    position.cash[seat] = START_CASH
    position.spaces[seat] = NOWHERE
    position.decision, position.seat_to_act = ASK_CITY, seat


def boosts() -> list[int]:
    """Return the answers: pass, or boost (W42)."""
    return [PASS_ACTION, BOOST_ACTION]


def rerolls() -> list[int]:
    """Return the answers: pass, or reroll (W44)."""
    return [PASS_ACTION, REROLL_ACTION]
