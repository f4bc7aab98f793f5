"""What routes, lots and positions are worth to a seat, in gold: estimates, no rules."""

from typing import Final

from engine.ahldarahd.actions import EYES, ITEM_LOT, QUEEN, RIGHTS
from engine.ahldarahd.board import END_A, END_B, KINDS, MAJORITY, NUMBERS, ROUTES
from engine.ahldarahd.position import NOBODY, Position

POINT: Final = 8
"""One point at the end."""

CARD: Final = 2
"""A card in hand."""

_PART: Final = 3
"""A step towards a city is worth the whole over this and over the steps that are missing."""

_MOST_FOR_A_CARD: Final = 5
_RIGHT: Final = 2
_FAVOUR: Final = 1


def city_worth(position: Position, seat: int, map_: int, city: int) -> int:
    """Return what control of the city would bring: its gold, and what it counts at the end (A23, A32)."""
    if map_ != seat:
        points = 4 if position.cities[seat][city] == seat else 1
    else:
        points = 1
        for other in range(position.setup.maps):
            if other != seat and position.cities[other][city] == seat:
                points += 3
    return NUMBERS[city] + POINT * points


def missing(position: Position, seat: int, map_: int, city: int) -> int:
    """Return the number of routes that the seat lacks for control; 0 or less if it has it."""
    return MAJORITY[city] - position.routes_into(map_, city, seat)


def route_worth(position: Position, seat: int, map_: int, route: int) -> int:
    """Return what a marker of the seat on that route would be worth."""
    worth = 0
    for city in (END_A[route], END_B[route]):
        lacks = missing(position, seat, map_, city)
        if lacks == 1:
            worth += city_worth(position, seat, map_, city)
        elif lacks > 1 and position.cities[map_][city] == NOBODY:
            worth += city_worth(position, seat, map_, city) // (_PART * lacks)
    return worth


def card_worth(position: Position, seat: int, commodity: int) -> int:
    """Return the best claim that such a card would make, within bounds."""
    best = 0
    for map_ in range(position.setup.maps):
        if position.may_act_on(seat, map_):
            owners = position.owners[map_]
            for route in range(1, ROUTES + 1):
                if owners[route] == NOBODY and commodity in (END_A[route], END_B[route]):
                    worth = route_worth(position, seat, map_, route)
                    best = max(best, worth)
    return min(_MOST_FOR_A_CARD, 1 + best // POINT)


def lot_worth(position: Position, seat: int, lot: int) -> int:
    """Return what the seat might bid for the lot; 0 for what it holds."""
    if lot < ITEM_LOT:
        return card_worth(position, seat, lot % KINDS)
    item = lot - ITEM_LOT
    if position.holders[item] == seat:
        return 0
    if item >= RIGHTS:
        return 0 if item - RIGHTS == seat else _RIGHT
    return _FAVOUR


def seat_worth(position: Position, seat: int) -> int:
    """Return all that the seat has: points, gold, cards, steps towards cities, favours."""
    worth = POINT * position.score(seat) + position.gold[seat] + CARD * position.cards(seat)
    for map_ in range(position.setup.maps):
        cities = position.cities[map_]
        for city in range(KINDS):
            if cities[city] == NOBODY:
                own = position.routes_into(map_, city, seat)
                if own:
                    lacks = MAJORITY[city] - own
                    worth += city_worth(position, seat, map_, city) // (2 * lacks + 1)
    for item in (EYES, QUEEN):
        if position.holders[item] == seat:
            worth += _FAVOUR
    return worth


def leads(position: Position) -> list[float]:
    """By seat: how far it is ahead of the best other one, with a part for the mean of the others; in gold."""
    worths = [seat_worth(position, seat) for seat in range(position.setup.seats)]
    return [_lead(worths, seat) for seat in range(len(worths))]


def _lead(worths: list[int], seat: int) -> float:
    others = worths[:seat] + worths[seat + 1 :]
    return worths[seat] - 0.7 * max(others) - 0.3 * sum(others) / len(others)
