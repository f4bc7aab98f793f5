"""The Event cards, read from event_cards.toml (W8)."""

import tomllib
from pathlib import Path
from typing import Any, Final

_FILE: Final = Path(__file__).parent / "event_cards.toml"
_ROWS: Final[list[dict[str, Any]]] = tomllib.loads(_FILE.read_text(encoding="utf-8"))["card"]

EVENTS: Final = len(_ROWS)

EVENT_IDS: Final[list[str]] = [row["id"] for row in _ROWS]
EVENT_NAMES: Final[list[str]] = [row["name"] for row in _ROWS]
EVENT_COPIES: Final[list[int]] = [row["copies"] for row in _ROWS]

BEFORE_MOVE: Final = 0
ENCOUNTER: Final = 1
BEFORE_LOCATION: Final = 2
END: Final = 3
WINDOW_NAMES: Final = ("before_move", "encounter", "before_location", "end")

OPPONENT: Final = 0
CURRENT: Final = 1
ALL: Final = 2
_WHO_NAMES: Final = ("opponent", "current", "all")

WHO: Final = [_WHO_NAMES.index(row["who"]) for row in _ROWS]
"""By card: OPPONENT, CURRENT or ALL."""

PLAYED_IN: Final = [
    [card for card in range(EVENTS) if window in _ROWS[card]["windows"]] for window in WINDOW_NAMES
]
"""By window: the cards that may be played in it, ascending."""

SPACE: Final = 1
RESOURCE: Final = 2
MISSION: Final = 3
HITS: Final = 4
TARGET_NAMES: Final = ("", "space", "resource", "mission", "hits")

TARGET: Final = [TARGET_NAMES.index(row.get("target", "")) for row in _ROWS]
"""By card: the extra field of the action (W72); 0: it has none."""

FIRST_EVENT_DECK: Final = [card for card in range(EVENTS) for _ in range(EVENT_COPIES[card])]
"""Before its first shuffle, the top first (W9)."""

ATTACK_EVENT: Final = EVENT_IDS.index("attack")
SURPRISE_ATTACK: Final = EVENT_IDS.index("surprise_attack")
AMBUSH: Final = EVENT_IDS.index("ambush")
ESCORT: Final = EVENT_IDS.index("escort")
FLAT_TIRE: Final = EVENT_IDS.index("flat_tire")
SANDSTORM: Final = EVENT_IDS.index("sandstorm")
ROAD_BLOCK: Final = EVENT_IDS.index("road_block")
SPOILED_STORES: Final = EVENT_IDS.index("spoiled_stores")
LEAKING_TANK: Final = EVENT_IDS.index("leaking_tank")
PICKPOCKETS: Final = EVENT_IDS.index("pickpockets")
DRY_MARKET: Final = EVENT_IDS.index("dry_market")
CONTRACT_CANCELLED: Final = EVENT_IDS.index("contract_cancelled")
TAILWIND: Final = EVENT_IDS.index("tailwind")
FIELD_REPAIRS: Final = EVENT_IDS.index("field_repairs")
SALVAGE: Final = EVENT_IDS.index("salvage")
HIDDEN_CACHE: Final = EVENT_IDS.index("hidden_cache")
BARGAIN: Final = EVENT_IDS.index("bargain")
BONUS_CONTRACT: Final = EVENT_IDS.index("bonus_contract")

ATTACK_TYPE: Final = (ATTACK_EVENT, SURPRISE_ATTACK, AMBUSH)
"""What an Escort answers, and an opponent plays once a turn (W28, W29)."""

MOST_CARDS: Final = 3
"""In a hand (W63)."""
