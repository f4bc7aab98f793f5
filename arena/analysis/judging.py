"""What a judge is asked and what it answers, as JSON documents: it runs as a process of its own."""

import base64
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

Move = tuple[int, ...]
"""Actions of one seat, in order."""


@dataclass(frozen=True, slots=True)
class Request:
    """A decision to judge."""

    game: str
    observation: bytes
    played: Move
    seed: bytes
    """32 bytes: all chance of the judgement follows from it."""
    moves: tuple[Move, ...]
    """Those to try; empty: those that the judge finds."""
    first: int
    """The number of the first deal."""
    deals: int
    advised: bool = False
    """Whether the moves that are found include that of the sample bot's whole search."""

    def document(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "game": self.game,
            "observation": base64.b64encode(self.observation).decode(),
            "played": self.played,
            "seed": self.seed.hex(),
            "moves": self.moves,
            "first": self.first,
            "deals": self.deals,
            "advised": self.advised,
        }


@dataclass(frozen=True, slots=True)
class Reply:
    """What the judge says."""

    moves: tuple[Move, ...]
    is_played: tuple[bool, ...]
    """By move: whether it begins with what was played."""
    scores: tuple[tuple[float, ...], ...]
    """By deal: the expected score of the seat after each move, 0 to 1; points of the score if it is alone."""


def reply_of(document: dict[str, Any]) -> Reply:
    """Return the reply of a JSON document."""
    return Reply(
        tuple(tuple(move) for move in document["moves"]),
        tuple(document["played"]),
        tuple(tuple(scores) for scores in document["scores"]),
    )


class Judges(Protocol):
    """Processes that judge."""

    def ask(self, requests: Sequence[Request]) -> Iterator[tuple[int, Reply]]:
        """Yield each reply with the index of its request, in any order."""
        ...
