"""The Caravan cards, read from caravan_cards.toml (W5)."""

import tomllib
from pathlib import Path
from typing import Any, Final

from engine.wasteland.resources import SLOT_NAMES

_FILE: Final = Path(__file__).parent / "caravan_cards.toml"
_ROWS: Final[list[dict[str, Any]]] = tomllib.loads(_FILE.read_text(encoding="utf-8"))["card"]

CARDS: Final = 14

CARD_BITS: Final = [1 << card for card in range(CARDS)]
"""By card: the set of it alone."""

CARD_IDS: Final[list[str]] = [row["id"] for row in _ROWS]
"""By card; the Head comes first."""

CARD_NAMES: Final[list[str]] = [row["name"] for row in _ROWS]
COST: Final[list[int]] = [row["cost"] for row in _ROWS]
HEALTH: Final[list[int]] = [row["health"] for row in _ROWS]
ATTACK: Final[list[int]] = [row["attack"] for row in _ROWS]
DEFENSE: Final[list[int]] = [row["defense"] for row in _ROWS]
MOVEMENT: Final[list[int]] = [row["movement"] for row in _ROWS]

SLOTS: Final = [[int(row.get("storage", {}).get(name, 0)) for name in SLOT_NAMES] for row in _ROWS]
"""By card: slots by resource, then those for any kind (W20)."""

HEAD: Final = 0
MOBILE_GARRISON: Final = CARD_IDS.index("mobile_garrison")
GUN_TRUCK: Final = CARD_IDS.index("gun_truck")
OUTRIDER_BIKES: Final = CARD_IDS.index("outrider_bikes")
SCOUT_RIG: Final = CARD_IDS.index("scout_rig")
FIELD_HOSPITAL: Final = CARD_IDS.index("field_hospital")
COOK_WAGON: Final = CARD_IDS.index("cook_wagon")

MOST_DEFENSE: Final = 5
"""Of a whole caravan (W18)."""

assert len(_ROWS) == CARDS, "caravan_cards.toml has that many cards"
assert CARD_IDS[HEAD] == "head", "caravan_cards.toml begins with the Head"
