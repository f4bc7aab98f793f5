"""The codec of a game: its values as messages, and back."""

from abc import ABC, abstractmethod
from functools import cache, lru_cache
from importlib import import_module
from typing import Any

from google.protobuf.message import Message

from arena.codecs.action_table import ActionTable
from arena.codecs.event_table import EventTable
from arena.codecs.record import Record
from arena.codecs.serialized import embedded
from arena.v1 import games_pb2
from engine.compiling import mypyc_attr
from engine.game import Event, Game, GameError, InvalidOptionsError, State, UnreadableActionError, own


@mypyc_attr(allow_interpreted_subclasses=True)
class Codec(ABC):
    """Turns one game's ints and dataclasses into messages of `arena.v1.games` and back.

    A game writes its own messages, without the wrapping in those of `games.proto`. What is sent with every decision is
    returned as serialised bytes, so that fragments can be cached and joined.
    """

    game: Game

    events: EventTable
    """Its events as messages, and in words."""

    options: Record[Any]
    observation: Record[Any]
    actions: ActionTable
    """The tables of a game that does not write the methods below itself."""

    # What the game writes. `wire` is its own message of that name.

    def options_message(self, options: object) -> Message:
        """Return the game's Options as a message."""
        message: Message = self.options.message_of(own(options, self.options.kind))
        return message

    @abstractmethod
    def options_of(self, wire: Any, seats: int) -> object:
        """Return the options of a message. Raises InvalidOptionsError for options that the game does not have."""

    def observation_bytes(self, observation: object) -> bytes:
        """Return the observation's message, serialised, its fields in ascending order."""
        message: Message = self.observation.message_of(own(observation, self.observation.kind))
        return message.SerializeToString()

    def observation_of(self, wire: Any) -> object:
        """Return the game's Observation. Raises UnreadableActionError, naming the wrong field."""
        return self.observation.value_of(wire)

    def encode_action(self, action: int) -> bytes:
        """Return a serialised `arena.v1.Action`, which is cached."""
        return _action_bytes(self, action)

    def actions_of(self, wire: Any, state: State) -> tuple[int, ...]:
        """Return the same as `decode_action`."""
        return (self.actions.action_of(wire),)

    # What everybody calls

    def encode_options(self, options: object) -> games_pb2.GameOptions:
        """Return the game's Options as a message."""
        wrapped: dict[str, Any] = {self.game.spec.id: self.options_message(options)}
        return games_pb2.GameOptions(**wrapped)

    def decode_options(self, message: games_pb2.GameOptions, seats: int) -> object:
        """Return the options of a message; fields not set have their default. Raises InvalidOptionsError."""
        return self.options_of(_unwrapped(message, self.game, InvalidOptionsError), seats)

    def encode_observation(self, observation: object) -> bytes:
        """Return a serialised `arena.v1.Observation`."""
        field = _field_number("Observation", self.game.spec.id)
        return embedded(field, self.observation_bytes(observation))

    def decode_observation(self, message: games_pb2.Observation) -> object:
        """Return the game's Observation. Raises UnreadableActionError if it is not one of this game."""
        return self.observation_of(_unwrapped(message, self.game, UnreadableActionError))

    def decode_action(self, message: games_pb2.Action, state: State) -> tuple[int, ...]:
        """Return the actions of an answer: one, or several for a plan. `state` is not changed.

        Legality is not checked: the forms of `action_seen_by`, which are never legal, are read too.

        Raises UnreadableActionError: no action of this game; the message names the field.
        """
        return self.actions_of(_unwrapped(message, self.game, UnreadableActionError), state)

    def encode_event(self, event: Event) -> bytes:
        """Return a serialised `arena.v1.GameEvent`."""
        return _event_bytes(self, event)

    def decode_event(self, message: games_pb2.GameEvent) -> Event:
        """Return the event. Raises UnreadableActionError for an unknown one."""
        return self.events.event_of(getattr(message, self.game.spec.id))

    def describe_event(self, event: Event) -> str:
        """Return the event in one short sentence for people."""
        return self.events.describe(event)


@lru_cache(maxsize=131072)
def _action_bytes(codec: Codec, action: int) -> bytes:
    member: dict[str, Any] = {codec.game.spec.id: codec.actions.message_of(action)}
    return games_pb2.Action(**member).SerializeToString()


@lru_cache(maxsize=32768)
def _event_bytes(codec: Codec, event: Event) -> bytes:
    field = _field_number("GameEvent", codec.game.spec.id)
    return embedded(field, codec.events.message_of(event).SerializeToString())


@cache
def _field_number(message: str, game: str) -> int:
    """Return the field number of a game's member in a message of `games.proto`."""
    number: int = games_pb2.DESCRIPTOR.message_types_by_name[message].fields_by_name[game].number
    return number


def _unwrapped(
    message: games_pb2.GameOptions | games_pb2.Observation | games_pb2.Action,
    game: Game,
    error: type[GameError],
) -> Any:
    """Return the game's own message. Raises `error` for a message of another game, or of none."""
    name = game.spec.id
    if message.WhichOneof("game") != name:
        raise error(f'The {message.DESCRIPTOR.name} is not of this game: set its field "{name}".')
    return getattr(message, name)


@cache
def codec_for(game: str) -> Codec:
    """Return the codec of a game: the CODEC of `arena.codecs.<game id>.codec`.

    Raises KeyError for a game without one.
    """
    try:
        module = import_module(f"arena.codecs.{game}.codec")
    except ModuleNotFoundError as error:
        raise KeyError(game) from error
    codec: Codec = module.CODEC
    return codec
