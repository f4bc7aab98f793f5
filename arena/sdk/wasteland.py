"""Wasteland: its messages, and the base classes of its bots (docs/bots/python.md)."""

from typing import ClassVar

from arena.games.wasteland.v1.wasteland_pb2 import *  # noqa: F403 - a bot has all messages of its game from here
from arena.games.wasteland.v1.wasteland_pb2 import Action, Observation, Options
from arena.sdk import bot, match, position

Match = match.Match[Observation, Options]
Result = match.Result[Observation]
Position = position.Position[Observation, Action]


class Bot(bot.Bot[Observation, Action, Options]):
    """A bot that plays Wasteland."""

    games: ClassVar[bot.Games] = ("wasteland",)


class PackedBot(bot.PackedBot[Observation, Action, Options]):
    """The same with its legal actions as ints, in the packing of docs/rules/wasteland.md."""

    games: ClassVar[bot.Games] = ("wasteland",)
