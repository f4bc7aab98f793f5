"""What all services use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from arena.server.runtime import ArenaRuntime
from arena.server.services.paging import Pages
from arena.store.database import Database
from arena.wire.game_catalogue import GameCatalogue


@dataclass(frozen=True, slots=True)
class ServiceContext:
    """What all services use."""

    database: Database
    catalogue: GameCatalogue
    runtime: ArenaRuntime
    pages: Pages
    now_us: Callable[[], int]
    """Microseconds since 1970 UTC."""
