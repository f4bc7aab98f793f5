"""The Night of the Outsider (A36-A42): the cup, and the three steps by which a Night passes."""

from typing import Final

from engine.ahldarahd.board import KINDS
from engine.ahldarahd.events import Night, Ransom, removed
from engine.ahldarahd.placement import settle_losses, take_off
from engine.ahldarahd.position import (
    ASK_AVERT,
    ASK_BUILD,
    ASK_LOSS,
    ASK_PLEDGE,
    NO_CITY,
    NOBODY,
    RANSOM,
    Position,
    changed,
)
from engine.ahldarahd.views import card_of
from engine.randomness import Stream

CHIPS: Final = 75
"""Gold in a full cup (A36)."""

BLACK_CHIPS: Final = 3


def fill_cup(position: Position) -> None:
    """Fill the cup, once the last seat has set its free routes (A36)."""
    position.cup_gold, position.cup_black = CHIPS, BLACK_CHIPS


def draw_chips(position: Position, gold: int) -> int:
    """Take so many gold chips out of the cup; set aside and count the black ones that come with them (A37)."""
    stream = Stream(position.seed, position.words)
    black = 0
    while gold:
        if not position.cup_gold:
            position.cup_gold = CHIPS
        if stream.uniform(position.cup_gold + position.cup_black) < position.cup_gold:
            position.cup_gold -= 1
            gold -= 1
        else:
            position.cup_black -= 1
            black += 1
    position.words = stream.words
    return black


def draw(position: Position, seat: int, gold: int) -> None:
    """Draw from the cup what the bank has paid the seat; a black chip brings a Night (A38)."""
    black = draw_chips(position, gold)
    if not black:
        return
    if not position.deck_size:
        position.events.append(Night(seat, black, None))
        return
    card = position.turn_up()
    commodity = card % KINDS
    position.spend(commodity)
    position.events.append(Night(seat, black, card_of(card)))
    position.night_city, position.drawer = commodity, seat
    seats = position.around(seat)
    if not any(position.is_hit(each) for each in seats):
        _end(position)
        return
    position.waiting = tuple([each for each in seats if position.cards(each)])
    _go_on_averting(position)


def answer_avert(position: Position, *, averted: bool) -> None:
    """Carry out the answer of the seat asked: a discarded card of the city, or a pass (A40)."""
    position.waiting = position.waiting[1:]
    if averted:
        _end(position)
    else:
        _go_on_averting(position)


def _go_on_averting(position: Position) -> None:
    if position.waiting:
        position.decision, position.seat_to_act = ASK_AVERT, position.waiting[0]
        return
    position.waiting = tuple([seat for seat in position.around(position.drawer) if position.gold[seat]])
    _go_on_pledging(position)


def pledge(position: Position, seat: int, gold: int) -> None:
    """Add the seat's pledge (A41)."""
    position.waiting = position.waiting[1:]
    position.pledged = changed(position.pledged, seat, gold)
    if sum(position.pledged) == RANSOM:
        for each, paid in enumerate(position.pledged):
            position.gold[each] -= paid
        position.cup_gold += RANSOM
        position.events.append(Ransom(position.pledged))
        _end(position)
    else:
        _go_on_pledging(position)


def _go_on_pledging(position: Position) -> None:
    """Ask the next seat, unless the ransom has failed (A41)."""
    to_come = sum([position.gold[seat] for seat in position.waiting])
    if sum(position.pledged) + to_come >= RANSOM:
        position.decision, position.seat_to_act = ASK_PLEDGE, position.waiting[0]
        return
    position.pledged = (0,) * position.setup.seats
    position.waiting = tuple([seat for seat in position.around(position.drawer) if position.is_hit(seat)])
    _go_on_losing(position)


def lose(position: Position, seat: int, map_: int, route: int) -> None:
    """Take off the route that the seat has chosen (A42)."""
    position.waiting = position.waiting[1:]
    _remove(position, seat, map_, route)
    _go_on_losing(position)


def _go_on_losing(position: Position) -> None:
    """Ask seats with a choice; take off the route of a seat that has only one (A42, A47)."""
    while position.waiting:
        seat = position.waiting[0]
        routes = position.routes_in_reach(seat, position.night_city)
        if len(routes) > 1:
            position.decision, position.seat_to_act = ASK_LOSS, seat
            return
        position.waiting = position.waiting[1:]
        _remove(position, seat, *routes[0])
    _end(position)


def _remove(position: Position, seat: int, map_: int, route: int) -> None:
    take_off(position, map_, route)
    position.events.append(removed(seat, map_, route))
    settle_losses(position, map_)


def _end(position: Position) -> None:
    """End the Night: the seat that drew continues its building chance (A42)."""
    position.decision, position.seat_to_act = ASK_BUILD, position.drawer
    position.night_city, position.drawer = NO_CITY, NOBODY
    position.waiting, position.pledged = (), (0,) * position.setup.seats
