"""The games of this engine: one line each."""

from __future__ import annotations

from engine.ahldarahd import AHLDARAHD
from engine.caravan import CARAVAN
from engine.caravanserai import CARAVANSERAI
from engine.game import Game

_GAMES = (
    CARAVAN,
    CARAVANSERAI,
    AHLDARAHD,
)

GAMES: dict[str, Game] = {game.spec.id: game for game in _GAMES}
"""By game id, in the order in which they are listed."""
