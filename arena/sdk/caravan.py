"""Caravan: its messages, and the base classes of its bots (docs/bots/python.md)."""

from typing import ClassVar

from arena.games.caravan.v1.caravan_pb2 import *  # noqa: F403 - a bot has all messages of its game from here
from arena.games.caravan.v1.caravan_pb2 import Action, Observation, Options
from arena.sdk import bot, match, position

Match = match.Match[Observation, Options]
Result = match.Result[Observation]
Position = position.Position[Observation, Action]


class Bot(bot.Bot[Observation, Action, Options]):
    """A bot that plays Caravan."""

    games: ClassVar[bot.Games] = ("caravan",)


class PackedBot(bot.PackedBot[Observation, Action, Options]):
    """The same with its legal actions as ints, in the packing of docs/rules/caravan.md."""

    games: ClassVar[bot.Games] = ("caravan",)
