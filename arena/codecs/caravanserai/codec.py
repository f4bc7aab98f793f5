"""Caravanserai on the wire."""

from typing import Final

from arena.codecs.caravanserai import actions, views
from arena.codecs.caravanserai.events import EVENTS
from arena.codecs.codec import Codec
from arena.games.caravanserai.v1 import caravanserai_pb2
from engine import option_names
from engine.caravanserai import CARAVANSERAI
from engine.caravanserai.observation import Observation
from engine.caravanserai.options import Options
from engine.caravanserai.state import CaravanseraiState
from engine.game import State, own


class CaravanseraiCodec(Codec):
    """Caravanserai's ints and dataclasses as messages, and back."""

    game = CARAVANSERAI
    events = EVENTS

    def options_message(self, options: object) -> caravanserai_pb2.Options:
        """Return the option as a message."""
        return caravanserai_pb2.Options(expert=own(options, Options).expert)

    def options_of(self, wire: caravanserai_pb2.Options, seats: int) -> Options:
        """Return the options for so many seats. Raises InvalidOptionsError."""
        option_names.check(CARAVANSERAI.spec, seats)
        return Options(wire.expert)

    def observation_bytes(self, observation: object) -> bytes:
        """Return the message, serialised, its fields in ascending order."""
        return views.observation_bytes(own(observation, Observation))

    def observation_of(self, wire: caravanserai_pb2.Observation) -> Observation:
        """Return the observation. Raises UnreadableActionError, naming the wrong field."""
        return views.observation_of(wire)

    def encode_action(self, action: int) -> bytes:
        """Return a serialised `arena.v1.Action`."""
        return actions.action_bytes(action)

    def actions_of(self, wire: caravanserai_pb2.Action, state: State) -> tuple[int, ...]:
        """Return one action, or the steps of a plan. Raises UnreadableActionError, naming the wrong field."""
        return actions.actions_of(wire, own(state, CaravanseraiState))


CODEC: Final = CaravanseraiCodec()
