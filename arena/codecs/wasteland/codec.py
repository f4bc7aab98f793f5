"""Wasteland on the wire."""

from typing import Final

from arena.codecs.codec import Codec
from arena.codecs.wasteland.actions import ACTIONS, action_bytes
from arena.codecs.wasteland.events import EVENTS
from arena.codecs.wasteland.views import OBSERVATION, OPTIONS, observation_of, option_texts
from arena.games.wasteland.v1 import wasteland_pb2
from engine.game import State, own
from engine.wasteland import WASTELAND
from engine.wasteland.observation import Observation
from engine.wasteland.options import Options


class WastelandCodec(Codec):
    """Wasteland's ints and dataclasses as messages, and back."""

    game = WASTELAND
    events = EVENTS

    def options_message(self, options: object) -> wasteland_pb2.Options:
        """Return the options, the Check's rule and the rounds, as a message."""
        message: wasteland_pb2.Options = OPTIONS.message_of(own(options, Options))
        return message

    def options_of(self, wire: wasteland_pb2.Options, seats: int) -> Options:
        """Return the options for so many seats; fields not set have their default. Raises InvalidOptionsError."""
        return WASTELAND.options(seats, option_texts(wire))

    def observation_bytes(self, observation: object) -> bytes:
        """Return the message, serialised."""
        message: wasteland_pb2.Observation = OBSERVATION.message_of(own(observation, Observation))
        return message.SerializeToString()

    def observation_of(self, wire: wasteland_pb2.Observation) -> Observation:
        """Return the observation. Raises UnreadableActionError, naming the wrong field."""
        return observation_of(wire)

    def encode_action(self, action: int) -> bytes:
        """Return a serialised `arena.v1.Action`."""
        return action_bytes(action)

    def actions_of(self, wire: wasteland_pb2.Action, state: State) -> tuple[int, ...]:
        """Return one action. Raises UnreadableActionError, naming the wrong field."""
        return (ACTIONS.action_of(wire),)


CODEC: Final = WastelandCodec()
