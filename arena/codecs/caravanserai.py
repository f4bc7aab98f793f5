"""Caravanserai on the wire."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from arena.codecs import caravanserai_actions, caravanserai_events, caravanserai_views
from arena.codecs.codec import Codec, check_game
from arena.codecs.fragments import embedded
from arena.games.caravanserai.v1 import caravanserai_pb2
from arena.v1 import games_pb2
from engine import option_names
from engine.caravanserai import CARAVANSERAI
from engine.caravanserai.observation import Observation
from engine.caravanserai.options import Options
from engine.caravanserai.state import CaravanseraiState
from engine.game import Event, InvalidOptionsError, State, UnreadableActionError, own


class CaravanseraiCodec(Codec):
    """Caravanserai's ints and dataclasses as messages, and back."""

    game = CARAVANSERAI

    def encode_options(self, options: object) -> games_pb2.GameOptions:
        """The option."""
        wire = caravanserai_pb2.Options(expert=own(options, Options).expert)
        return games_pb2.GameOptions(caravanserai=wire)

    def decode_options(self, message: games_pb2.GameOptions, seats: int) -> Options:
        """The options for so many seats. Raises InvalidOptionsError."""
        check_game(message, CARAVANSERAI, InvalidOptionsError)
        option_names.check(CARAVANSERAI.spec, seats)
        return Options(message.caravanserai.expert)

    def encode_observation(self, observation: object) -> bytes:
        """A serialised `arena.v1.Observation`, its fields in ascending order."""
        seen = caravanserai_views.observation_bytes(own(observation, Observation))
        return embedded(games_pb2.Observation.CARAVANSERAI_FIELD_NUMBER, seen)

    def decode_observation(self, message: games_pb2.Observation) -> Observation:
        """The observation. Raises UnreadableActionError if it is not one of Caravanserai."""
        check_game(message, CARAVANSERAI, UnreadableActionError)
        return caravanserai_views.observation_of(message.caravanserai)

    def encode_action(self, action: int) -> bytes:
        """A serialised `arena.v1.Action`."""
        return caravanserai_actions.action_bytes(action)

    def decode_action(self, message: games_pb2.Action, state: State) -> tuple[int, ...]:
        """One action, or the steps of a plan. Raises UnreadableActionError, naming the field that is wrong."""
        check_game(message, CARAVANSERAI, UnreadableActionError)
        return caravanserai_actions.actions_of(message.caravanserai, own(state, CaravanseraiState))

    def encode_event(self, event: Event) -> bytes:
        """A serialised `arena.v1.GameEvent`."""
        return _event_bytes(event)

    def decode_event(self, message: games_pb2.GameEvent) -> Event:
        """The event again."""
        return caravanserai_events.event_of(message.caravanserai)

    def describe_event(self, event: Event) -> str:
        """One sentence; cells by their coordinates."""
        return caravanserai_events.describe(event)


CODEC: Final = CaravanseraiCodec()


@lru_cache(maxsize=8192)
def _event_bytes(event: Event) -> bytes:
    return games_pb2.GameEvent(caravanserai=caravanserai_events.event_message(event)).SerializeToString()
