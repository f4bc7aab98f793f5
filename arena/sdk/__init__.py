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

from typing import NoReturn

from arena.sdk.bot import Bot, LegalActions, PackedBot, Plays, View
from arena.sdk.game_messages import GAMES
from arena.sdk.match import Clock, Match, Result
from arena.sdk.position import Position

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


def run(bot_class: type[Bot]) -> NoReturn:
    """Play at the arena that the environment names until it says goodbye, then end the program.

    ARENA_ADDRESS is host:port or unix:///path, ARENA_TOKEN the bot token. ARENA_TLS=1 encrypts, and so does
    ARENA_TLS_CA with the path of a PEM file; ARENA_TLS_CERT and ARENA_TLS_KEY show a certificate. After SIGINT or
    SIGTERM the running matches are finished and no new ones taken; a second signal ends the program at once. The
    exit code is an `ExitCode`.
    """
    # Not at the top: gRPC and asyncio take half of the time, and a bot's class is often imported without playing.
    from arena.sdk.program import run_program

    run_program(bot_class)
