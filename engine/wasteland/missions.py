"""The missions, read from missions.toml (W6)."""

import tomllib
from pathlib import Path
from typing import Any, Final

from engine.wasteland.board import SPACE_IDS
from engine.wasteland.resources import NAMES

_FILE: Final = Path(__file__).parent / "missions.toml"
_ROWS: Final[list[dict[str, Any]]] = tomllib.loads(_FILE.read_text(encoding="utf-8"))["mission"]

MISSIONS: Final = len(_ROWS)

MISSION_IDS: Final[list[str]] = [row["id"] for row in _ROWS]
"""By mission, in the order in which they lie before the first shuffle (W9)."""

MISSION_TOWN: Final = [SPACE_IDS.index(row["town"]) for row in _ROWS]

NEEDS: Final = [[row["needs"].count(name) for name in NAMES] for row in _ROWS]
"""By mission: units by resource."""

REWARD: Final[list[int]] = [row["reward"] for row in _ROWS]
"""By mission: Cash."""
