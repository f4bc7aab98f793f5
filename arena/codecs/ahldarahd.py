"""Caravans of Ahldarahd on the wire."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from arena.codecs import ahldarahd_actions, ahldarahd_events, ahldarahd_views
from arena.codecs.codec import Codec, check_game
from arena.v1 import games_pb2
from engine.ahldarahd import AHLDARAHD
from engine.ahldarahd.observation import Observation
from engine.ahldarahd.options import Options
from engine.game import Event, InvalidOptionsError, State, UnreadableActionError, own


class AhldarahdCodec(Codec):
    """Ahldarahd's ints and dataclasses as messages, and back."""

    game = AHLDARAHD

    def encode_options(self, options: object) -> games_pb2.GameOptions:
        """The three switches."""
        return games_pb2.GameOptions(ahldarahd=ahldarahd_views.options_message(own(options, Options)))

    def decode_options(self, message: games_pb2.GameOptions, seats: int) -> Options:
        """The options for so many seats. Raises InvalidOptionsError."""
        check_game(message, AHLDARAHD, InvalidOptionsError)
        wire = message.ahldarahd
        chosen = Options(wire.neutral_board, wire.night_of_the_outsider, wire.trading)
        return AHLDARAHD.options(seats, AHLDARAHD.option_values(chosen))

    def encode_observation(self, observation: object) -> bytes:
        """A serialised `arena.v1.Observation`."""
        seen = ahldarahd_views.observation_message(own(observation, Observation))
        return games_pb2.Observation(ahldarahd=seen).SerializeToString()

    def decode_observation(self, message: games_pb2.Observation) -> Observation:
        """The observation. Raises UnreadableActionError if it is not one of Ahldarahd."""
        check_game(message, AHLDARAHD, UnreadableActionError)
        return ahldarahd_views.observation_of(message.ahldarahd)

    def encode_action(self, action: int) -> bytes:
        """A serialised `arena.v1.Action`."""
        return ahldarahd_actions.action_bytes(action)

    def decode_action(self, message: games_pb2.Action, state: State) -> tuple[int, ...]:
        """One action. Raises UnreadableActionError, naming the field that is wrong."""
        check_game(message, AHLDARAHD, UnreadableActionError)
        return (ahldarahd_actions.action_of(message.ahldarahd),)

    def encode_event(self, event: Event) -> bytes:
        """A serialised `arena.v1.GameEvent`."""
        return _event_bytes(event)

    def decode_event(self, message: games_pb2.GameEvent) -> Event:
        """The event again."""
        return ahldarahd_events.event_of(message.ahldarahd)

    def describe_event(self, event: Event) -> str:
        """One sentence."""
        return ahldarahd_events.describe(event)


CODEC: Final = AhldarahdCodec()


@lru_cache(maxsize=8192)
def _event_bytes(event: Event) -> bytes:
    return games_pb2.GameEvent(ahldarahd=ahldarahd_events.event_message(event)).SerializeToString()
