"""The games of this engine: one line each."""

from __future__ import annotations

from engine.caravan import CARAVAN
from engine.game import Game

GAMES: dict[str, Game] = {game.spec.id: game for game in (CARAVAN,)}
"""By game id, in the order in which they are listed."""
