"""What happened in a watched match, read from messages."""

from arena.codecs.codec import Codec
from arena.core.endings.terminations import Termination
from arena.runner.history import Happening, SeatActed, SeatForfeited
from arena.v1 import happening_pb2
from engine.randomness import SEED_BYTES, Stream


def read_happening(message: happening_pb2.Happening, codec: Codec, before: object) -> Happening:
    """Return what happened after the game's own Observation `before`."""
    match message.WhichOneof("kind"):
        case "action":
            state = codec.game.from_observation(before, Stream(bytes(SEED_BYTES)))
            [action] = codec.decode_action(message.action.action, state)
            return SeatActed(message.action.seat, action, message.action.by_default)
        case "forfeited":
            return SeatForfeited(message.forfeited.seat, Termination(message.forfeited.termination))
        case _:
            return codec.decode_event(message.event)
