"""Caravans of Ahldarahd on the wire."""

from typing import Final

from arena.codecs.ahldarahd.actions import ACTIONS, action_bytes
from arena.codecs.ahldarahd.events import EVENTS
from arena.codecs.ahldarahd.views import OBSERVATION, OPTIONS, observation_of
from arena.codecs.codec import Codec
from arena.games.ahldarahd.v1 import ahldarahd_pb2
from engine.ahldarahd import AHLDARAHD
from engine.ahldarahd.observation import Observation
from engine.ahldarahd.options import Options
from engine.game import State, own


class AhldarahdCodec(Codec):
    """Ahldarahd's ints and dataclasses as messages, and back."""

    game = AHLDARAHD
    events = EVENTS

    def options_message(self, options: object) -> ahldarahd_pb2.Options:
        """Return the options, three switches, as a message."""
        message: ahldarahd_pb2.Options = OPTIONS.message_of(own(options, Options))
        return message

    def options_of(self, wire: ahldarahd_pb2.Options, seats: int) -> Options:
        """Return the options for so many seats. Raises InvalidOptionsError."""
        return AHLDARAHD.options(seats, AHLDARAHD.option_values(OPTIONS.value_of(wire)))

    def observation_bytes(self, observation: object) -> bytes:
        """Return the message, serialised."""
        message: ahldarahd_pb2.Observation = OBSERVATION.message_of(own(observation, Observation))
        return message.SerializeToString()

    def observation_of(self, wire: ahldarahd_pb2.Observation) -> Observation:
        """Return the observation. Raises UnreadableActionError, naming the wrong field."""
        return observation_of(wire)

    def encode_action(self, action: int) -> bytes:
        """Return a serialised `arena.v1.Action`."""
        return action_bytes(action)

    def actions_of(self, wire: ahldarahd_pb2.Action, state: State) -> tuple[int, ...]:
        """Return one action. Raises UnreadableActionError, naming the wrong field."""
        return (ACTIONS.action_of(wire),)


CODEC: Final = AhldarahdCodec()
