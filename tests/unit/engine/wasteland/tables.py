"""The tables of sections 1 and W72, typed from the page of rules a second time."""

from __future__ import annotations

from typing import NamedTuple

RESOURCES = ("fuel", "munitions", "rations", "medicine")
"""W3's order."""

CITIES = ("N", "E", "S", "W")
TOWNS = ("i1", "i2", "i3", "i4", "a1", "b1", "c1", "d1", "d2", "a2", "b2", "c2")
WILDS = ("X0", "X1", "X2", "X3", "X4")
SPACES = (*CITIES, *TOWNS, *WILDS)

ROADS = """
N-a1 a1-a2 a2-E E-b1 b1-b2 b2-S S-c1 c1-c2 c2-W W-d1 d1-d2 d2-N
N-i1 E-i2 S-i3 W-i4
X0-i1 X0-i2 X0-i3 X0-i4
X1-i1 X1-i2 X1-a1 X1-a2
X2-i2 X2-i3 X2-b1 X2-b2
X3-i3 X3-i4 X3-c1 X3-c2
X4-i4 X4-i1 X4-d1 X4-d2
"""
LINKS = ROADS.split()
"""W4."""

NEXT_TO = {
    space: sorted(
        {b for a, b in (link.split("-") for link in LINKS) if a == space}
        | {a for a, b in (link.split("-") for link in LINKS) if b == space}
    )
    for space in SPACES
}

OFFERS: dict[str, tuple[str, ...]] = {
    "N": ("fuel", "rations"),
    "E": ("rations", "medicine"),
    "S": ("munitions", "medicine"),
    "W": ("fuel", "munitions"),
    "X0": RESOURCES,
    "X1": ("munitions",),
    "X2": ("fuel",),
    "X3": ("rations",),
    "X4": ("medicine",),
}
"""W4's last column; what a space offers, if anything."""

SPACE_TITLES = {
    "N": "Northgate",
    "E": "Eastport",
    "S": "Southfork",
    "W": "Westhold",
    "i1": "Pumphouse",
    "a1": "Rustbridge",
    "d2": "Hollow Mill",
    "i2": "Saltworks",
    "b1": "Drydock",
    "a2": "Glass Flats",
    "i3": "Old Quarry",
    "c1": "Kiln",
    "b2": "Mercy",
    "i4": "Depot Nine",
    "d1": "Windrow",
    "c2": "Last Orchard",
    "X0": "The Crater",
    "X1": "Dead Suburb",
    "X2": "Tank Graveyard",
    "X3": "Drowned Fields",
    "X4": "Silent Hospital",
}
"""W4's suggested names."""

DISTRICTS = {
    "N": ("i1", "a1", "d2"),
    "E": ("i2", "b1", "a2"),
    "S": ("i3", "c1", "b2"),
    "W": ("i4", "d1", "c2"),
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


ONE_OF_EACH_AND_ANY = {"fuel": 1, "munitions": 1, "rations": 1, "medicine": 1, "any": 1}

CARAVAN = {
    "head": CaravanCard("Head of the Caravan", 0, 4, 3, 3, 4, ONE_OF_EACH_AND_ANY),
    "mobile_garrison": CaravanCard("Mobile Garrison", 4, 3, 0, 1, 0, {}),
    "gun_truck": CaravanCard("Gun Truck", 4, 2, 2, 0, 0, {}),
    "outrider_bikes": CaravanCard("Outrider Bikes", 3, 1, 1, 0, 1, {}),
    "scout_rig": CaravanCard("Scout Rig", 4, 1, 0, 0, 1, {}),
    "field_hospital": CaravanCard("Field Hospital", 4, 2, 0, 0, 0, {}),
    "cook_wagon": CaravanCard("Cook Wagon", 3, 2, 0, 0, 0, {}),
    "armored_bus": CaravanCard("Armored Bus", 6, 4, 0, 1, 0, {"any": 2}),
    "cargo_hauler": CaravanCard("Cargo Hauler", 5, 3, 0, 0, 0, {"any": 3}),
    "tanker_trailer": CaravanCard("Tanker Trailer", 3, 2, 0, 0, 0, {"fuel": 3}),
    "ammo_trailer": CaravanCard("Ammo Trailer", 3, 2, 0, 0, 0, {"munitions": 3}),
    "ration_wagon": CaravanCard("Ration Wagon", 3, 2, 0, 0, 0, {"rations": 3}),
    "medical_trailer": CaravanCard("Medical Trailer", 3, 2, 0, 0, 0, {"medicine": 3}),
    "war_rig": CaravanCard("War Rig", 8, 5, 2, 1, 0, {"any": 2}),
}
"""W5, in its order."""


class Mission(NamedTuple):
    """A cell of W6; `demand` counts units by resource."""

    town: str
    demand: dict[str, int]
    reward: int


MISSION_ROWS = """
i1 Med Mun = 5 | Fuel Med Med = 6 | Fuel Rat Med Mun = 7
i2 Mun Fuel = 5 | Rat Mun Mun = 6 | Fuel Rat Med Mun = 7
i3 Fuel Rat = 5 | Med Fuel Fuel = 6 | Fuel Rat Med Mun = 7
i4 Rat Med = 5 | Mun Rat Rat = 6 | Fuel Rat Med Mun = 7
a1 Rat Med = 4 | Med Mun Mun = 7 | Fuel Fuel Mun Mun = 7
b1 Med Mun = 4 | Mun Fuel Fuel = 7 | Rat Rat Fuel Fuel = 7
c1 Mun Fuel = 4 | Fuel Rat Rat = 7 | Med Med Rat Rat = 7
d1 Fuel Rat = 4 | Rat Med Med = 7 | Mun Mun Med Med = 7
d2 Fuel Mun = 4 | Rat Rat Med = 5 | Rat Med Med Mun = 8
a2 Rat Fuel = 4 | Med Med Mun = 5 | Med Mun Mun Fuel = 8
b2 Med Rat = 4 | Mun Mun Fuel = 5 | Mun Fuel Fuel Rat = 8
c2 Mun Med = 4 | Fuel Fuel Rat = 5 | Fuel Rat Rat Med = 8
"""
"""W6: the Town, then missions A, B and C."""

SHORT = {"Fuel": "fuel", "Mun": "munitions", "Rat": "rations", "Med": "medicine"}


def _missions() -> dict[str, Mission]:
    found = {}
    for row in MISSION_ROWS.strip().splitlines():
        town, cells = row.split(" ", 1)
        for letter, cell in zip("ABC", cells.split(" | "), strict=True):
            needs, reward = cell.split(" = ")
            units = [SHORT[word] for word in needs.split()]
            found[town + letter] = Mission(
                town, {r: units.count(r) for r in RESOURCES if r in units}, int(reward)
            )
    return found


MISSIONS = _missions()


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


ATTACKS = {
    "feral_dogs": AttackCard("Feral Dogs", 3, 1, 2, 2, None, 1, {"rations": 1}, "discard"),
    "lone_raider": AttackCard("Lone Raider", 3, 1, 3, 1, None, 1, {}, ""),
    "scavenger_gang": AttackCard("Scavenger Gang", 3, 2, 2, 2, None, 1, {"any": 1}, "discard"),
    "toll_gang": AttackCard("Toll Gang", 2, 2, 3, 2, None, 2, {"cash": 2}, "discard"),
    "rad_scorpion": AttackCard("Rad Scorpion", 2, 2, 4, 1, None, 1, {}, ""),
    "mutant_pack": AttackCard("Mutant Pack", 2, 3, 2, 2, None, 2, {}, ""),
    "plague_carriers": AttackCard("Plague Carriers", 2, 1, 2, 2, None, 1, {"medicine": 1}, "bounty"),
    "sniper_nest": AttackCard("Sniper Nest", 1, 1, 5, 1, None, 2, {"munitions": 1}, "defense"),
    "deserter_squad": AttackCard(
        "Deserter Squad", 2, 2, 3, 3, 6, 2, {"rations": 1, "munitions": 1}, "discard"
    ),
    "road_warriors": AttackCard("Road Warriors", 2, 3, 3, 3, 8, 3, {"fuel": 2}, "shuffle"),
    "slaver_column": AttackCard("Slaver Column", 1, 3, 3, 4, 10, 4, {"rations": 2}, "shuffle"),
    "rust_tank": AttackCard("Rust Tank", 1, 4, 4, 3, 12, 5, {"munitions": 2}, "defense"),
}
"""W7, in its order."""

WINDOWS = ("before_move", "encounter", "before_location", "end")


class EventCard(NamedTuple):
    """A row of W8; `target` is the extra field of the action, if any."""

    title: str
    copies: int
    who: str
    windows: tuple[str, ...]
    target: str = ""


EVENTS = {
    "attack": EventCard("Attack!", 8, "O", ("encounter",)),
    "surprise_attack": EventCard("Surprise Attack!", 3, "O", ("encounter",)),
    "ambush": EventCard("Ambush!", 3, "O", ("encounter",)),
    "escort": EventCard("Escort", 2, "C", ()),
    "flat_tire": EventCard("Flat Tire", 2, "O", ("before_move",)),
    "sandstorm": EventCard("Sandstorm", 2, "O", ("before_move",)),
    "road_block": EventCard("Road Block", 2, "O", ("before_move",), "space"),
    "spoiled_stores": EventCard("Spoiled Stores", 2, "O", WINDOWS),
    "leaking_tank": EventCard("Leaking Tank", 2, "O", WINDOWS),
    "pickpockets": EventCard("Pickpockets", 2, "O", WINDOWS),
    "dry_market": EventCard("Dry Market", 1, "O", ("before_location",), "resource"),
    "contract_cancelled": EventCard("Contract Cancelled", 2, "all", WINDOWS, "mission"),
    "tailwind": EventCard("Tailwind", 2, "C", ("before_move",)),
    "field_repairs": EventCard("Field Repairs", 2, "C", WINDOWS, "hits"),
    "salvage": EventCard("Salvage", 2, "C", WINDOWS, "resource"),
    "hidden_cache": EventCard("Hidden Cache", 1, "C", WINDOWS),
    "bargain": EventCard("Bargain", 1, "C", ("before_location",)),
    "bonus_contract": EventCard("Bonus Contract", 1, "C", ("before_location",)),
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
