"""The map, read from board.toml, and what can be counted on it once (section 3 of the rules)."""

import tomllib
from enum import IntEnum
from pathlib import Path
from typing import Final

_FILE: Final = Path(__file__).parent / "board.toml"
_DATA: Final = tomllib.loads(_FILE.read_text(encoding="utf-8"))
_NAMES: Final[list[str]] = list(_DATA["cities"])


class Commodity(IntEnum):
    """What a city deals in and a card names, in the order of table 3.1; a city is called by its commodity."""

    PEARLS = 0
    SPICES = 1
    IVORY = 2
    GEMS = 3
    INCENSE = 4
    METALS = 5
    SALT = 6
    TEXTILES = 7
    DATES = 8
    HORSES = 9


COMMODITIES: Final = tuple(Commodity)
"""All ten, by number."""

KINDS: Final = 10
"""Commodities, and cities of a map."""

NAMES: Final = [commodity.name.lower() for commodity in COMMODITIES]
"""By commodity."""

ALPHABETICAL: Final = sorted(range(KINDS), key=lambda commodity: NAMES[commodity])
"""The commodities in the order of their names, which is that of hands and payments (A48, A52)."""

LAND: Final = 0
SEA: Final = 1

_ENDS: Final = [(_NAMES.index(a), _NAMES.index(b)) for a, b, _ in _DATA["routes"]]

ROUTES: Final = 21
"""Their ids are 1 to this number; lists by route have an entry 0 that means nothing."""

END_A: Final = [0, *(a for a, _ in _ENDS)]
"""By route: one of its cities."""

END_B: Final = [0, *(b for _, b in _ENDS)]
"""By route: the other one."""

SEA_ROUTE: Final = [LAND, *(SEA if kind == "sea" else LAND for _, _, kind in _DATA["routes"])]
"""By route: SEA or LAND."""

ROUTES_AT: Final = [
    [route for route in range(1, ROUTES + 1) if city in (END_A[route], END_B[route])] for city in range(KINDS)
]
"""By city: its routes, ascending."""

NUMBERS: Final = [len(routes) for routes in ROUTES_AT]
"""By city: its number, which is that of its routes; what control of it pays (A23)."""

MAJORITY: Final = [number // 2 + 1 for number in NUMBERS]
"""By city: so many of its routes are strictly more than half (A23)."""

PRICES: Final = [0, *(NUMBERS[a] + NUMBERS[b] for a, b in _ENDS)]
"""By route: its printed cost (A20)."""

MARKERS: Final = 21
"""Of each seat, on all maps together (A2, A22)."""

assert _NAMES == NAMES, "board.toml lists the cities in the order of Commodity"
assert (len(COMMODITIES), len(_ENDS)) == (KINDS, ROUTES), "board.toml has these cities and routes"
