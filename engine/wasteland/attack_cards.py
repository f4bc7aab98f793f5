"""The Attack cards, read from attack_cards.toml (W7)."""

import tomllib
from pathlib import Path
from typing import Any, Final

from engine.wasteland.resources import NAMES

_FILE: Final = Path(__file__).parent / "attack_cards.toml"
_ROWS: Final[list[dict[str, Any]]] = tomllib.loads(_FILE.read_text(encoding="utf-8"))["card"]

ATTACKERS: Final = len(_ROWS)

ATTACKER_IDS: Final[list[str]] = [row["id"] for row in _ROWS]
ATTACKER_NAMES: Final[list[str]] = [row["name"] for row in _ROWS]
ATTACKER_COPIES: Final[list[int]] = [row["copies"] for row in _ROWS]
ATTACKER_ATTACK: Final[list[int]] = [row["attack"] for row in _ROWS]
ATTACKER_DEFENSE: Final[list[int]] = [row["defense"] for row in _ROWS]
ATTACKER_HEALTH: Final[list[int]] = [row["health"] for row in _ROWS]
BOUNTY: Final[list[int]] = [row["bounty"] for row in _ROWS]

CHECK: Final[list[int]] = [row.get("check", 0) for row in _ROWS]
"""By card: total Health that it asks for (W37, W38); 0: none."""

NO_PAY: Final = 0
DISCARD: Final = 1
DISCARD_WITH_BOUNTY: Final = 2
SHUFFLE_BACK: Final = 3
WEAKEN: Final = 4
_HOW_NAMES: Final = ("", "discard", "bounty", "shuffle", "weaken")

PAY_DOES: Final = [_HOW_NAMES.index(row.get("how", "")) for row in _ROWS]
"""By card: what paying does (W40)."""

PAY_RESOURCES: Final = [[int(row.get("pays", {}).get(name, 0)) for name in NAMES] for row in _ROWS]
"""By card: what is paid, by resource."""

PAY_ANY: Final[list[int]] = [row.get("pays", {}).get("any", 0) for row in _ROWS]
"""By card: units of one resource of the player's choice."""

PAY_CASH: Final[list[int]] = [row.get("pays", {}).get("cash", 0) for row in _ROWS]

WEAKENED_DEFENSE: Final = 3
"""Of a card that was paid for so (W40)."""

FIRST_DECK: Final = [card for card in range(ATTACKERS) for _ in range(ATTACKER_COPIES[card])]
"""Before its first shuffle, the top first (W9)."""
