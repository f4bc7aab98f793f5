"""The tables of W4 to W8, read from the page of the rules."""

import re
from itertools import pairwise
from typing import NamedTuple

from tests.checkout import text
from tests.unit.engine.pages import rows

RESOURCES = ("fuel", "munitions", "rations", "medicine")
"""W3's order."""

PAGE = text("docs/rules/wasteland.md")


def _rows(head: str) -> list[list[str]]:
    return [[cell.strip("†` ").replace("`", "") for cell in row] for row in rows("wasteland", head)]


def _units(cell: str) -> dict[str, int]:
    """Return what "fuel, 2 medicine" or "one of each, 1 any" count."""
    counts: dict[str, int] = {}
    for part in filter(None, cell.split(", ")):
        number, _, what = part.rpartition(" ")
        counts |= dict.fromkeys(RESOURCES, 1) if what in ("each", "four") else {what: int(number or 1)}
    return counts


CITIES, WILDS = ("N", "E", "S", "W"), ("X0", "X1", "X2", "X3", "X4")
TOWNS = tuple(row[0] for row in _rows("| Town | A"))
SPACES = (*CITIES, *TOWNS, *WILDS)

_SPACES = _rows("| space | kind")
_ROADS = [
    match.split("-") for match in re.findall(r"`(\w\d?(?:-\w\d?)+)`", PAGE[: PAGE.index("| space | kind")])
]
LINKS = [f"{a}-{b}" for road in _ROADS for a, b in pairwise(road)]
LINKS += [f"{space}-{town}" for space, _, _, _, links in _SPACES for town in links.split()]

NEXT_TO = {
    space: sorted({other for link in LINKS if space in (ends := link.split("-")) for other in ends} - {space})
    for space in SPACES
}

OFFERS = {space: tuple(_units(offers)) for space, _, _, offers, _ in _SPACES if offers}

SPACE_TITLES = {
    space: title
    for spaces, _, titles, _, _ in _SPACES
    for space, title in zip(spaces.split(", "), titles.split(", "), strict=True)
}

DISTRICTS = {
    kind[-1]: tuple(spaces.split(", ")) for spaces, kind, *_ in _SPACES if kind.startswith("Towns of")
}


class CaravanCard(NamedTuple):
    """A row of W5; `storage` counts slots by resource, and by "any"."""

    title: str
    cost: int
    health: int
    attack: int
    defense: int
    movement: int
    storage: dict[str, int]


CARAVAN = {
    card: CaravanCard._make((title, *map(int, numbers), _units(storage)))
    for card, title, *numbers, storage, _ in _rows("| card | name | cost")
}
"""W5, in its order."""


class Mission(NamedTuple):
    """A cell of W6; `demand` counts units by resource."""

    town: str
    demand: dict[str, int]
    reward: int


MISSIONS = {
    town + letter: Mission(town, _units(wanted), int(pays))
    for town, *cells in _rows("| Town | A")
    for letter, wanted, pays in zip("ABC", cells[::2], cells[1::2], strict=True)
}


class AttackCard(NamedTuple):
    """A row of W7; `price` counts resources, "any" one or "cash"; `paid` is what paying it does."""

    title: str
    copies: int
    attack: int
    defense: int
    health: int
    check: int | None
    bounty: int
    price: dict[str, int]
    paid: str


_PAYS = {"unit of any resource": "any", "Cash": "cash"}
_DOES = {
    "": "",
    "discarded": "discard",
    "discarded, and the Bounty is paid": "bounty",
    "its Defense is 3": "defense",
    "shuffled back": "shuffle",
}


def _attack_card(title: str, *cells: str) -> AttackCard:
    *numbers, check, bounty, payment = cells
    price, _, does = payment.partition(": ")
    parts = [part.partition(" ")[::2] for part in price.split(" and ") if part]
    pays = {_PAYS.get(what, what): int(number) for number, what in parts}
    copies, attack, defense, health = map(int, numbers)
    least = int(check) if check else None
    return AttackCard(title, copies, attack, defense, health, least, int(bounty), pays, _DOES[does])


ATTACKS = {card: _attack_card(*cells) for card, *cells in _rows("| card | name | copies")}
"""W7, in its order."""

ODDS = """
feral_dogs      100 0.6  100 0.4  100 0.2
lone_raider     100 0.6  100 0.4  100 0.2
scavenger_gang   98 1.3  100 0.9  100 0.3
toll_gang        93 1.6  100 1.1  100 0.4
rad_scorpion     95 1.4  100 0.9  100 0.4
mutant_pack      90 1.9  100 1.3  100 0.5
plague_carriers 100 0.6  100 0.4  100 0.2
sniper_nest      95 1.2  100 0.8  100 0.3
deserter_squad   82 2.2  100 1.6  100 0.5
road_warriors    54 3.0   99 2.3  100 0.8
slaver_column    34 3.4   97 3.0  100 1.0
rust_tank        16 3.7   81 4.2  100 1.5
"""
"""W7: for each caravan the win chance in percent and the Hits taken; a fall of both sides is lost."""

WINDOWS = ("before_move", "encounter", "before_location", "end")


class EventCard(NamedTuple):
    """A row of W8; `target` is the extra field of the action, if any."""

    title: str
    copies: int
    who: str
    windows: tuple[str, ...]
    target: str


_WHO = {"opponent": "O", "current": "C", "all": "all"}
_WINDOWS: dict[str, tuple[str, ...]] = {"any": WINDOWS, "none, W29": ()}
EVENTS = {
    card.partition(" ")[0]: EventCard(
        card.partition(" ")[2].strip("()"),
        int(copies),
        _WHO[who],
        _WINDOWS.get(window, (window,)),
        target.partition(":")[0],
    )
    for card, copies, who, window, *_, target in _rows("| card | copies")
}
"""W8, in its order; an Escort is played in no window (W29)."""

ATTACK_TYPE = ("attack", "surprise_attack", "ambush")

NEW_DECKS = {
    "event": [card for card, row in EVENTS.items() for _ in range(row.copies)],
    "attack": [card for card, row in ATTACKS.items() for _ in range(row.copies)],
    "mission": list(MISSIONS),
}
"""W9: before the first shuffle."""

GOAL = {2: 35, 3: 30, 4: 25}
"""W65, by seats."""
