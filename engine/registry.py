"""The games of this engine: one line each."""

from engine.ahldarahd import AHLDARAHD
from engine.caravan import CARAVAN
from engine.caravanserai import CARAVANSERAI
from engine.game import Game
from engine.wasteland import WASTELAND

_GAMES = (
    CARAVAN,
    CARAVANSERAI,
    AHLDARAHD,
    WASTELAND,
)

GAMES: dict[str, Game] = {game.spec.id: game for game in _GAMES}
"""By game id, in the order in which they are listed."""
