"""What a marker on a map, or off it, does to the cities (A23-A26)."""

from engine.ahldarahd.board import COMMODITIES, END_A, END_B, KINDS, NUMBERS, ROUTES_AT
from engine.ahldarahd.events import Control, Lost, Removed
from engine.ahldarahd.position import NOBODY, Position


def place(position: Position, seat: int, map_: int, routes: list[int]) -> int:
    """Lay the seat's markers on the routes, with all that follows (A24 (2)-(5)); return the gold of cities taken."""
    owners, cities = position.owners[map_], position.cities[map_]
    for route in routes:
        owners[route] = seat
    position.placed[seat] += len(routes)
    ends = {END_A[route] for route in routes} | {END_B[route] for route in routes}
    taken = [
        city for city in sorted(ends) if cities[city] != seat and position.has_majority(map_, city, seat)
    ]
    for city in taken:
        position.events.append(Control(seat, map_, COMMODITIES[city], NUMBERS[city]))
    for city in taken:
        cities[city] = seat
    cleared = {route for city in taken for route in ROUTES_AT[city] if owners[route] not in (NOBODY, seat)}
    for route in sorted(cleared):
        owner = owners[route]
        take_off(position, map_, route)
        position.events.append(Removed(owner, map_, route))
    settle_losses(position, map_)
    return sum([NUMBERS[city] for city in taken])


def take_off(position: Position, map_: int, route: int) -> None:
    """Free the route and give its marker back to its owner (A22)."""
    owners = position.owners[map_]
    position.placed[owners[route]] -= 1
    owners[route] = NOBODY


def settle_losses(position: Position, map_: int) -> None:
    """Take a city of the map from every seat that no longer has its majority (A24 (5))."""
    cities = position.cities[map_]
    for city in range(KINDS):
        holder = cities[city]
        if holder != NOBODY and not position.has_majority(map_, city, holder):
            cities[city] = NOBODY
            position.events.append(Lost(holder, map_, COMMODITIES[city]))
