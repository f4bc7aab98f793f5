"""What all services stand on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from arena.server.runtime import LiveArena
from arena.server.services.paging import Pages
from arena.store.database import Database
from arena.wire.game_catalogue import Catalogue


@dataclass(frozen=True, slots=True)
class Platform:
    """What all services stand on."""

    database: Database
    catalogue: Catalogue
    live: LiveArena
    pages: Pages
    now_us: Callable[[], int]
    """Microseconds since 1970 UTC."""
