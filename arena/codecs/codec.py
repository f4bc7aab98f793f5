"""The contract of a codec, and how the codec of a game is found."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cache
from importlib import import_module

from arena.v1 import games_pb2
from engine.compiling import mypyc_attr
from engine.game import Event, Game, GameError, State


@mypyc_attr(allow_interpreted_subclasses=True)
class Codec(ABC):
    """Turns one game's ints and dataclasses into messages of `arena.v1.games` and back.

    What is sent with every decision is returned as serialised bytes, so that fragments can be cached and joined.
    """

    game: Game

    @abstractmethod
    def encode_options(self, options: object) -> games_pb2.GameOptions:
        """The game's Options as a message."""

    @abstractmethod
    def decode_options(self, message: games_pb2.GameOptions, seats: int) -> object:
        """Back again. Raises InvalidOptionsError for options that the game does not have."""

    @abstractmethod
    def encode_observation(self, observation: object) -> bytes:
        """A serialised `arena.v1.Observation`."""

    @abstractmethod
    def decode_observation(self, message: games_pb2.Observation) -> object:
        """The game's Observation. Raises UnreadableActionError if it is not one of this game."""

    @abstractmethod
    def encode_action(self, action: int) -> bytes:
        """A serialised `arena.v1.Action`."""

    @abstractmethod
    def decode_action(self, message: games_pb2.Action, state: State) -> tuple[int, ...]:
        """The actions an answer stands for: one, or several for a plan. `state` is not changed.

        Whether they are legal is not looked at: the forms of `action_seen_by`, which never are, are read as well.

        Raises:
            UnreadableActionError: no action of this game; the message names the field.
        """

    @abstractmethod
    def encode_event(self, event: Event) -> bytes:
        """A serialised `arena.v1.GameEvent`."""

    @abstractmethod
    def decode_event(self, message: games_pb2.GameEvent) -> Event:
        """The event again."""

    @abstractmethod
    def describe_event(self, event: Event) -> str:
        """The event in one short sentence for people."""


def check_game(
    message: games_pb2.GameOptions | games_pb2.Observation | games_pb2.Action | games_pb2.GameEvent,
    game: Game,
    error: type[GameError],
) -> None:
    """Raises `error` for a message of another game, or of none."""
    if message.WhichOneof("game") != game.spec.id:
        what = message.DESCRIPTOR.name
        raise error(f'The {what} is not of this game: set its field "{game.spec.id}".')


@cache
def codec_for(game: str) -> Codec:
    """The codec of a game: the CODEC of `arena.codecs.<game id>`.

    Raises KeyError for a game without one.
    """
    try:
        module = import_module(f"arena.codecs.{game}")
    except ModuleNotFoundError as error:
        raise KeyError(game) from error
    codec: Codec = module.CODEC
    return codec
