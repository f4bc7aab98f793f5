"""Positions to search in, from what a bot is shown."""

from hashlib import sha256

from arena.codecs.caravan.codec import CODEC
from arena.sdk import caravan
from engine.caravan import CARAVAN
from engine.caravan.state import CaravanState
from engine.randomness import Stream


class Deals:
    """Positions that fit one observation: they differ in the order of the bag alone."""

    def __init__(self, observation: caravan.Observation) -> None:
        """Set the observation; the deals are the same for the same one."""
        self._seen = CODEC.observation_of(observation)
        self._stream = Stream(sha256(observation.SerializeToString(deterministic=True)).digest())

    def next(self) -> CaravanState:
        """Return the next position, the bag shuffled anew."""
        return CARAVAN.from_observation(self._seen, self._stream)
