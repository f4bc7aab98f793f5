"""What a Python bot imports: a bot is a class with one method, `choose` (docs/bots/python.md).

::

    import random

    import arena.sdk


    class RandomBot(arena.sdk.Bot):
        games = arena.sdk.GAMES

        def choose(self, observation, legal_actions, clock):
            return random.randrange(len(legal_actions))


    arena.sdk.run(RandomBot)
"""

from arena.sdk.bot import Bot, LegalActions, PackedBot, Plays, View
from arena.sdk.game_messages import GAMES
from arena.sdk.match import Clock, Match, Result
from arena.sdk.position import Position
from arena.sdk.run import run

__all__ = [
    "GAMES",
    "Bot",
    "Clock",
    "LegalActions",
    "Match",
    "PackedBot",
    "Plays",
    "Position",
    "Result",
    "View",
    "run",
]
