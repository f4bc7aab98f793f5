"""Event windows: who is asked, which cards may be played, and what they do (section 6 of the rules)."""

from typing import Final

from engine.wasteland.actions import play, two_hits
from engine.wasteland.board import CITY, OFFERS, SPACE_KINDS, SPACES, TOWN
from engine.wasteland.caravan_cards import CARDS
from engine.wasteland.decks import draw_attackers, replace_mission
from engine.wasteland.event_cards import (
    AMBUSH,
    ATTACK_TYPE,
    BARGAIN,
    BONUS_CONTRACT,
    CONTRACT_CANCELLED,
    CURRENT,
    DRY_MARKET,
    ESCORT,
    FIELD_REPAIRS,
    FLAT_TIRE,
    HIDDEN_CACHE,
    LEAKING_TANK,
    OPPONENT,
    PICKPOCKETS,
    PLAYED_IN,
    ROAD_BLOCK,
    SALVAGE,
    SANDSTORM,
    SPOILED_STORES,
    SURPRISE_ATTACK,
    TAILWIND,
    WHO,
)
from engine.wasteland.events import played
from engine.wasteland.gains import gain_cash, has_room, lose_resource
from engine.wasteland.position import (
    ASK_EVENT,
    ASK_RESPOND,
    ASK_SPOIL,
    NO_CARD,
    NO_WINDOW,
    NOBODY,
    Position,
)
from engine.wasteland.resources import FUEL, KINDS, MEDICINE, RATIONS

_CACHE: Final = 2
_LEAK: Final = 2


def open_window(position: Position, window: int) -> None:
    """Open the window; the current player is asked first (W25)."""
    position.window, position.asked, position.passes = window, position.current, 0
    _offer(position)


def _offer(position: Position) -> None:
    position.decision, position.seat_to_act = ASK_EVENT, position.asked


def take_pass(position: Position) -> bool:
    """Take the pass of the seat asked; return whether that closes the window (W25)."""
    position.passes += 1
    if position.passes == position.setup.seats:
        position.window, position.asked, position.passes = NO_WINDOW, NOBODY, 0
        return True
    position.asked = (position.asked + 1) % position.setup.seats
    _offer(position)
    return False


def playable(position: Position, seat: int) -> list[int]:
    """Return the Event cards that the seat may play now, as actions, in no order (W8, W26)."""
    found: list[int] = []
    hand = position.hands[seat]
    is_current = seat == position.current
    for card in PLAYED_IN[position.window]:
        if hand[card] and WHO[card] != (OPPONENT if is_current else CURRENT):
            found += _plays(position, seat, card)
    return found


def _plays(position: Position, seat: int, card: int) -> list[int]:
    """Return one action for each target; none where the card's condition does not hold."""
    current = position.current
    if card in ATTACK_TYPE:
        return [] if seat in position.attackers else [play(card)]
    if card == ROAD_BLOCK:
        return [play(card, each) for each in range(SPACES) if each not in position.road_blocks]
    if card == DRY_MARKET:
        return [play(card, each) for each in OFFERS[position.spaces[current]] if each not in position.dry]
    if card == CONTRACT_CANCELLED:
        return [play(card, mission) for mission in position.missions]
    if card == FIELD_REPAIRS:
        return [play(card, hits) for hits in removable(position, current)]
    if card == SALVAGE:
        return [play(card, each) for each in range(KINDS) if has_room(position, current, each)]
    return [play(card)] if _holds(position, card) else []


def _holds(position: Position, card: int) -> bool:
    """Return whether the condition of a card without targets holds (W8)."""
    current = position.current
    stored, space = position.stores[current], position.spaces[current]
    if card == SANDSTORM:
        return not position.sandstorm
    if card == SPOILED_STORES:
        return stored[RATIONS] > 0 or stored[MEDICINE] > 0
    if card == LEAKING_TANK:
        return stored[FUEL] > 0
    if card == PICKPOCKETS:
        return position.cash[current] > 0
    if card == BARGAIN:
        return SPACE_KINDS[space] == CITY
    return card != BONUS_CONTRACT or SPACE_KINDS[space] == TOWN


def removable(position: Position, seat: int) -> list[int]:
    """Return the Hits that may be removed together: every two, or the only one (W59)."""
    hits = position.hits[seat]
    hurt = [card for card in range(CARDS) if hits[card] > 0]
    if len(hurt) == 1 and hits[hurt[0]] == 1:
        return [hurt[0]]
    found = [two_hits(card, card) for card in hurt if hits[card] > 1]
    for place, first in enumerate(hurt):
        found += [two_hits(first, second) for second in hurt[place + 1 :]]
    return found


def remove_hits(position: Position, seat: int, cards: tuple[int, ...]) -> None:
    """Remove a Hit from each of the cards."""
    for card in cards:
        position.set_hits(seat, card, position.hits[seat][card] - 1)


def _spend(position: Position, seat: int, card: int, target: int) -> None:
    """Put the card on the discard pile (W27)."""
    position.add_events(seat, card, -1)
    position.event_discards += (card,)
    position.events.append(played(seat, card, target))


def play_card(position: Position, seat: int, card: int, target: int, hits: tuple[int, ...]) -> None:
    """Put the card into effect, or wait for an answer; then continue the window (W27).

    `target`: the field of the action. `hits`: what it means for Field Repairs.
    """
    _spend(position, seat, card, target)
    position.asked, position.passes = (seat + 1) % position.setup.seats, 0
    current = position.current
    if card in ATTACK_TYPE:
        position.attackers += (seat,)
        position.responding_to = card
        position.decision, position.seat_to_act = ASK_RESPOND, current
        return
    if card == SPOILED_STORES:
        position.decision, position.seat_to_act = ASK_SPOIL, current
        return
    if card == FIELD_REPAIRS:
        remove_hits(position, current, hits)
    elif card == CONTRACT_CANCELLED:
        replace_mission(position, target)
    elif card == SALVAGE:
        position.add_units(current, target, 1)
    elif card == LEAKING_TANK:
        lose_resource(position, current, FUEL, min(_LEAK, position.stores[current][FUEL]))
    elif card == PICKPOCKETS:
        position.cash[current] -= 1
        gain_cash(position, seat, 1)
    elif card == HIDDEN_CACHE:
        gain_cash(position, current, _CACHE)
    else:
        _put_in_force(position, card, target)
    _offer(position)


def _put_in_force(position: Position, card: int, target: int) -> None:
    """Put in force what lasts for the turn."""
    if card == FLAT_TIRE:
        position.flat_tires += 1
    elif card == TAILWIND:
        position.tailwinds += 1
    elif card == SANDSTORM:
        position.sandstorm = True
    elif card == ROAD_BLOCK:
        position.road_blocks = tuple(sorted([*position.road_blocks, target]))
    elif card == DRY_MARKET:
        position.dry = tuple(sorted([*position.dry, target]))
    elif card == BARGAIN:
        position.bargain = True
    elif card == BONUS_CONTRACT:
        position.bonus = True


def respond(position: Position, *, escorted: bool) -> None:
    """Cancel the card just played if an Escort was; otherwise draw its Attack cards (W28, W29)."""
    card = position.responding_to
    position.responding_to = NO_CARD
    if escorted:
        _spend(position, position.current, ESCORT, 0)
    else:
        draw_attackers(position, 2 if card == AMBUSH else 1, surprise=card == SURPRISE_ATTACK)
    _offer(position)


def spoil(position: Position, resource: int) -> None:
    """Take one of the two from the current player (W30)."""
    lose_resource(position, position.current, resource, 1)
    _offer(position)
