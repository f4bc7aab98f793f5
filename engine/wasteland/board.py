"""The board, read from board.toml (W4)."""

import tomllib
from pathlib import Path
from typing import Any, Final

from engine.wasteland.resources import NAMES

_FILE: Final = Path(__file__).parent / "board.toml"
_DATA: Final[dict[str, Any]] = tomllib.loads(_FILE.read_text(encoding="utf-8"))
_ROWS: Final[list[dict[str, Any]]] = _DATA["space"]

SPACES: Final = len(_ROWS)

SPACE_IDS: Final[list[str]] = [row["id"] for row in _ROWS]
"""By space: its id, for example "i1"; the four Cities come first."""

SPACE_NAMES: Final[list[str]] = [row["name"] for row in _ROWS]

CITY: Final = 0
TOWN: Final = 1
WILD: Final = 2
_KIND_NAMES: Final = ("city", "town", "wild")

SPACE_KINDS: Final = [_KIND_NAMES.index(row["kind"]) for row in _ROWS]
"""By space: CITY, TOWN or WILD."""

CITIES: Final = SPACE_KINDS.count(CITY)

OFFERS: Final = [[NAMES.index(name) for name in row.get("offers", [])] for row in _ROWS]
"""By space: the resources that can be loaded there (W55)."""

_PAIRS: Final = [(SPACE_IDS.index(a), SPACE_IDS.index(b)) for a, b in _DATA["links"]["pairs"]]

LINKED: Final = [
    sorted([*[b for a, b in _PAIRS if a == space], *[a for a, b in _PAIRS if b == space]])
    for space in range(SPACES)
]
"""By space: those one Movement away, ascending."""

NOWHERE: Final = -1
"""Where a seat is that has not chosen a City yet (W15, W53)."""

assert SPACE_KINDS[:CITIES] == [CITY] * CITIES, "board.toml begins with the Cities"
