"""What a marker on a map, or off it, does to the cities (A23-A26)."""

from engine.ahldarahd.board import KINDS, ROUTES
from engine.ahldarahd.events import control, lost, removed
from engine.ahldarahd.position import NOBODY, Position
from engine.ahldarahd.tables import ENDS, NUMBERS, ROUTES_AT
from engine.compiling import i64


def place(position: Position, seat: int, map_: int, routes: list[int]) -> int:
    """Lay the seat's markers on the routes, with all that follows (A24 (2)-(5)); return the gold of cities taken."""
    owners = position.owners[map_][:]
    position.owners[map_] = owners
    ends: i64 = 0
    for route in routes:
        owners[route] = seat
        ends |= ENDS[route]
    position.placed[seat] += len(routes)
    taken = _won(position, seat, map_, ends)
    if not taken:
        return 0
    gold, cleared = _take(position, seat, map_, taken)
    if cleared:
        for route in range(1, ROUTES + 1):
            if cleared >> route & 1:
                owner = owners[route]
                take_off(position, map_, route)
                position.events.append(removed(owner, map_, route))
        settle_losses(position, map_)
    return gold


def _won(position: Position, seat: int, map_: int, ends: i64) -> list[int]:
    """Return the cities of the set in which the seat has the majority without control, in the order of the table."""
    cities = position.cities[map_]
    return [
        city
        for city in range(KINDS)
        if ends >> city & 1 and cities[city] != seat and position.has_majority(map_, city, seat)
    ]


def _take(position: Position, seat: int, map_: int, taken: list[int]) -> tuple[int, i64]:
    """Give the seat the cities; return their gold, and the set of routes of others into them."""
    owners, cities = position.owners[map_], position.cities[map_][:]
    position.cities[map_] = cities
    gold = 0
    cleared: i64 = 0
    for city in taken:
        position.events.append(control(seat, map_, city))
        cities[city] = seat
        gold += NUMBERS[city]
        for route in ROUTES_AT[city]:
            if owners[route] != NOBODY and owners[route] != seat:
                cleared |= 1 << route
    return gold, cleared


def take_off(position: Position, map_: int, route: int) -> None:
    """Free the route and give its marker back to its owner (A22)."""
    owners = position.owners[map_][:]
    position.placed[owners[route]] -= 1
    owners[route] = NOBODY
    position.owners[map_] = owners


def settle_losses(position: Position, map_: int) -> None:
    """Take a city of the map from every seat that no longer has its majority (A24 (5)): markers have come off."""
    cities = position.cities[map_]
    for city in range(KINDS):
        holder = cities[city]
        if holder != NOBODY and not position.has_majority(map_, city, holder):
            cities = cities[:]
            cities[city] = NOBODY
            position.cities[map_] = cities
            position.events.append(lost(holder, map_, city))
