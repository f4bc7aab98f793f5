"""What all services stand on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from arena.server.live import LiveArena
from arena.server.services.catalogue import Catalogue
from arena.server.services.paging import Pages
from arena.store.database import Database


@dataclass(frozen=True, slots=True)
class Platform:
    """What all services stand on."""

    database: Database
    catalogue: Catalogue
    live: LiveArena
    pages: Pages
    now_us: Callable[[], int]
    """Microseconds since 1970 UTC."""
