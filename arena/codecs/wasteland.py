"""Wasteland on the wire."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from arena.codecs import wasteland_actions, wasteland_events, wasteland_views
from arena.codecs.codec import Codec, check_game
from arena.v1 import games_pb2
from engine.game import Event, InvalidOptionsError, State, UnreadableActionError, own
from engine.wasteland import WASTELAND
from engine.wasteland.observation import Observation
from engine.wasteland.options import Options


class WastelandCodec(Codec):
    """Wasteland's ints and dataclasses as messages, and back."""

    game = WASTELAND

    def encode_options(self, options: object) -> games_pb2.GameOptions:
        """The Check's rule and the rounds."""
        return games_pb2.GameOptions(wasteland=wasteland_views.options_message(own(options, Options)))

    def decode_options(self, message: games_pb2.GameOptions, seats: int) -> Options:
        """The options for so many seats; what is not set has its default. Raises InvalidOptionsError."""
        check_game(message, WASTELAND, InvalidOptionsError)
        return WASTELAND.options(seats, wasteland_views.option_texts(message.wasteland))

    def encode_observation(self, observation: object) -> bytes:
        """A serialised `arena.v1.Observation`."""
        seen = wasteland_views.observation_message(own(observation, Observation))
        return games_pb2.Observation(wasteland=seen).SerializeToString()

    def decode_observation(self, message: games_pb2.Observation) -> Observation:
        """The observation. Raises UnreadableActionError if it is not one of Wasteland."""
        check_game(message, WASTELAND, UnreadableActionError)
        return wasteland_views.observation_of(message.wasteland)

    def encode_action(self, action: int) -> bytes:
        """A serialised `arena.v1.Action`."""
        return wasteland_actions.action_bytes(action)

    def decode_action(self, message: games_pb2.Action, state: State) -> tuple[int, ...]:
        """One action. Raises UnreadableActionError, naming the field that is wrong."""
        check_game(message, WASTELAND, UnreadableActionError)
        return (wasteland_actions.action_of(message.wasteland),)

    def encode_event(self, event: Event) -> bytes:
        """A serialised `arena.v1.GameEvent`."""
        return _event_bytes(event)

    def decode_event(self, message: games_pb2.GameEvent) -> Event:
        """The event again."""
        return wasteland_events.event_of(message.wasteland)

    def describe_event(self, event: Event) -> str:
        """One sentence."""
        return wasteland_events.describe(event)


CODEC: Final = WastelandCodec()


@lru_cache(maxsize=8192)
def _event_bytes(event: Event) -> bytes:
    return games_pb2.GameEvent(wasteland=wasteland_events.event_message(event)).SerializeToString()
