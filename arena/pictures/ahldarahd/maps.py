"""The maps of Ahldarahd side by side: where their cities and routes lie, and what is on them."""

from collections.abc import Iterator, Sequence
from typing import Final

from arena.drawings.ahldarahd.words import route_words
from arena.pictures.picture import Part
from arena.pictures.svg import badge, circle, element, rectangle, text, tooltip
from engine.ahldarahd.board import END_A, END_B, KINDS, NAMES, NUMBERS, PRICES, ROUTES, SEA_ROUTE
from engine.ahldarahd.observation import Observation
from engine.ahldarahd.position import NOBODY

MAP_HEIGHT: Final = 326
CITY_WIDTH: Final = 56
CITY_HEIGHT: Final = 24
MARKER: Final = 12
"""Radius of a seat's piece on a route."""

_MAP_WIDTH: Final = 312
_EDGE: Final = 4
_COLUMNS: Final = 2
_CITIES: Final = (
    (113, 114),
    (150, 44),
    (280, 100),
    (200, 122),
    (30, 114),
    (234, 184),
    (140, 182),
    (34, 300),
    (276, 300),
    (150, 258),
)
"""By commodity: the centre of its city on a map. No two routes cross."""


def maps_height(maps: int) -> int:
    """Return the height of so many maps."""
    return -(-maps // _COLUMNS) * MAP_HEIGHT


def corner(map_: int, top: float) -> tuple[float, float]:
    """Return the upper left corner of a map."""
    row, column = divmod(map_, _COLUMNS)
    return _EDGE + column * (_MAP_WIDTH + 2 * _EDGE), top + row * MAP_HEIGHT


def city_at(map_: int, city: int, top: float) -> tuple[float, float]:
    """Return the centre of a city."""
    x, y = corner(map_, top)
    return x + _CITIES[city][0], y + _CITIES[city][1]


def route_at(map_: int, route: int, top: float) -> tuple[float, float]:
    """Return where the piece on a route lies."""
    (ax, ay), (bx, by) = city_at(map_, END_A[route], top), city_at(map_, END_B[route], top)
    return (ax + bx) / 2, (ay + by) / 2


def board(maps: int, seats: int, top: float) -> str:
    """Return the maps without pieces: cities with what they pay, free routes with their prices."""
    return "".join(_map(map_, seats, top) for map_ in range(maps)) + _legend(maps, top)


def _map(map_: int, seats: int, top: float) -> str:
    x, y = corner(map_, top)
    drawn = [rectangle(x, y, _MAP_WIDTH, MAP_HEIGHT - 6, "field line", 10)]
    if map_ < seats:
        drawn.append(element("g", badge(map_, 13), transform=f"translate({x + 20:g} {y + 20:g})"))
        drawn.append(text(x + 40, y + 26, "map", 18, style="ink bold"))
    else:
        drawn.append(text(x + 10, y + 26, "neutral", 18, style="ink bold"))
    for route in range(1, ROUTES + 1):
        (ax, ay), (bx, by) = city_at(map_, END_A[route], top), city_at(map_, END_B[route], top)
        style = "edge sea" if SEA_ROUTE[route] else "edge"
        drawn.append(element("line", x1=ax, y1=ay, x2=bx, y2=by, class_=style))
    for route in range(1, ROUTES + 1):
        px, py = route_at(map_, route, top)
        price = str(PRICES[route])
        kind = "sea" if SEA_ROUTE[route] else "land"
        drawn.append(
            element(
                "g",
                tooltip(f"route {route}, {route_words(route)}, {kind}, price {price}"),
                circle(px, py, MARKER, "field"),
                text(px, py + 6, price, 16, style="quiet", anchor="middle"),
            )
        )
    for city in range(KINDS):
        cx, cy = city_at(map_, city, top)
        drawn.append(element("g", tooltip(NAMES[city]), _city(city, cx, cy, "place edge", "ink")))
    return "".join(drawn)


def _city(city: int, x: float, y: float, style: str, letters: str) -> str:
    box = rectangle(x - CITY_WIDTH / 2, y - CITY_HEIGHT / 2, CITY_WIDTH, CITY_HEIGHT, style, 6)
    label = f"{NAMES[city][:3].capitalize()} {NUMBERS[city]}"
    return box + text(x, y + 6, label, 16, style=f"{letters} bold", anchor="middle", within=CITY_WIDTH - 6)


def _legend(maps: int, top: float) -> str:
    """Return what the signs mean, where an odd number of maps leaves room for it."""
    if maps % _COLUMNS == 0:
        return ""
    x, y = corner(maps, top)
    lines: Sequence[str] = (
        "Gem 5: a city and the gold it pays",
        "Number on a line: price of a route",
        "Full line: land, dotted line: sea",
        "Disc on a line: whose route it is",
        "Disc on a city: who controls it",
    )
    return "".join(text(x + 8, y + 40 + 30 * row, line, 17, style="quiet") for row, line in enumerate(lines))


def pieces(seen: Observation, top: float) -> Iterator[Part]:
    """Yield the seats' pieces on routes, and the cities that they control."""
    for map_, view in enumerate(seen.maps):
        for route, owner in enumerate(view.owners, 1):
            if owner != NOBODY:
                yield Part(f"route-{map_}-{route}", *route_at(map_, route, top), badge(owner, MARKER))
        for city, owner in enumerate(view.cities):
            if owner != NOBODY:
                body = _city(city, 0, 0, f"seat-{owner} edge", f"on-seat-{owner}")
                owned = element("g", badge(owner, 11), transform="translate(0 -20)")
                yield Part(f"city-{map_}-{NAMES[city]}", *city_at(map_, city, top), body + owned)
